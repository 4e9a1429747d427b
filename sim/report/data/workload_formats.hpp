// A history in the formats of workload archives.
//
// Standard Workload Format (SWF): a line a job, in the order of submission, in whole seconds, as
// the Parallel Workloads Archive has them.
//   wait = start of the last execution - submission; run = the last execution
// Earlier attempts are not in it: they are part of the wait.
//
// WfFormat 1.5, a workflow instance of WfCommons: tasks (jobs) without dependencies, their files,
// how long they ran, and where. Names are brought into the characters that its schema allows.
// Source: see sim/import/wfformat.hpp.
#pragma once

#include <string>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/import/swf.hpp"
#include "sim/scenario/campaign.hpp"

namespace gridcast::report {

import::SwfLog swf_log(history::JobHistory const& history, std::string const& title);

/// `input`: what every job fetches, where that is known; else the URLs of the history's transfers.
/// Without an execution part if no job executed.
std::string wfformat_json(history::JobHistory const& history, std::string const& title,
                          std::vector<scenario::InputFile> const& input);

}  // namespace gridcast::report
