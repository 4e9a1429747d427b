// Are stalls independent of each other? Each model of independence, the same with jobs that differ,
// and whether stalled jobs stand next to each other. All p-values by seeded resampling where the
// distribution of the statistic is not known.
#pragma once

#include <vector>

#include "calibration/estimate.hpp"
#include "calibration/record.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

/// Over the jobs that got their data in the end (who was held by a 404 had no time to stall).
std::vector<ModelTest> stall_tests(Records const& records, RandomStreams const& streams);

}  // namespace gridcast::calibration
