// Time limits that a record shows without naming them. Batch systems remove or hold jobs at their
// walltime, and tables contain the removal, the hold or a failure alone.
//
// A limit is seen where three executions at least, which did not begin together, ended so at
// nearly one length (within 0.5 %, or a minute), and none at their sites ran for longer. Evictions
// at one length are no limit of the job's: a pilot may have ended.
// For lengths without a limit this is improbable: the three longest of a hundred exponential ones
// lie within 0.5 % in about one record of a thousand.
#pragma once

#include <string>

#include "sim/history/job_history.hpp"

namespace gridcast::history {

/// Such executions get the reason execution_too_long, if none but a person's decision or no
/// reason at all is given. A line that reports it; empty where no limit is seen.
std::string mark_time_limits(JobHistory& history);

}  // namespace gridcast::history
