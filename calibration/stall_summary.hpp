// What a job table says of stalls, in a dozen numbers: the summaries by which the stall models are
// fitted and weighed. Chosen before looking at the models' fits: how many jobs stall, how often,
// how unevenly, whether table neighbours at a site share their fate, and what it costs.
#pragma once

#include <string>
#include <vector>

#include "sim/history/job_table.hpp"

namespace gridcast {

/// Names, for the calibration file.
std::vector<std::string> const& stall_summary_names();

/// Over the jobs that got as far as a transfer (who met a 404 had no time to stall).
std::vector<double> stall_summary(JobTable const& table);

}  // namespace gridcast
