// A simulated campaign as its event log tells it: what a user would have of it, and no more.
#pragma once

#include "sim/condor/write/event_log_writer.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::cli {

/// Written as a log, to the second unless the options say otherwise, and read back.
history::JobHistory logged_again(history::JobHistory const& simulated,
                                 condor::EventLogOptions const& options);

}  // namespace gridcast::cli
