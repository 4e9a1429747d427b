// A history as a log in the Standard Workload Format: a line a job, in the order of submission, in
// whole seconds, as the Parallel Workloads Archive has them.
//   wait = start of the last execution - submission; run = the last execution
// Earlier attempts are not in it: they are part of the wait.
#pragma once

#include <string>

#include "sim/history/job_history.hpp"
#include "sim/import/swf.hpp"

namespace gridcast::report {

import::SwfLog swf_log(history::JobHistory const& history, std::string const& title);

}  // namespace gridcast::report
