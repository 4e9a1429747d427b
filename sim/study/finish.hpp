// How many jobs had succeeded by when, over the replicas of a study: at each time the median and
// the central 90 % of the replicas. And when the last job had ended, as quantiles, for the
// probability of keeping a deadline.
#pragma once

#include <vector>

#include "sim/base/units.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::study {

struct FinishBand {
  std::vector<Seconds> at;
  std::vector<double> p05, p50, p95;  // jobs that had succeeded
  std::vector<Seconds> makespans;     // quantiles 0, 0.01, ..., 1; empty without dates
};

/// Equal steps from zero to `end`.
std::vector<Seconds> finish_times(Seconds end);
/// Until when curves of these samples are worth drawing: the largest 95 % quantile of makespan.
Seconds finish_end(std::vector<StudySample> const& samples);
/// Empty if no replica has dates.
FinishBand finish_band(StudySample const& sample, std::vector<Seconds> const& at);

}  // namespace gridcast::study
