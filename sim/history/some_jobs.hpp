// Some jobs of a record, as a record of their own.
#pragma once

#include <vector>

#include "sim/history/job_history.hpp"

namespace gridcast::history {

/// The jobs that are kept, renumbered; everything else by its job.
JobHistory only(JobHistory all, std::vector<bool> const& kept);

}  // namespace gridcast::history
