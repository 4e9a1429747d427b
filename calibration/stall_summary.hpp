// What a job table says of stalls, in a dozen numbers: the summaries by which the stall models are
// fitted and weighed. How many jobs stall, how often, how unevenly, whether table neighbours at a
// site share their fate, and what it costs; the share with 12 to 14 stalls was added when the
// published counts were seen to pile up there (docs/calibration.md).
#pragma once

#include <string>
#include <vector>

#include "sim/history/job_table.hpp"

namespace gridcast::calibration {

/// Names, for the calibration file.
std::vector<std::string> const& stall_summary_names();

/// Over the jobs that got as far as a transfer (who met a 404 had no time to stall).
std::vector<double> stall_summary(history::JobTable const& table);

}  // namespace gridcast::calibration
