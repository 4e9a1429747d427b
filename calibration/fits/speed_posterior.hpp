// The posterior of works and speeds (speed_fit.hpp), drawn by slice sampling.
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/fits/speed_fit.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

/// The evidence of the posterior. `priors`: one a site, around zero, models numbered from zero.
struct SpeedEvidence {
  std::vector<std::vector<TimedExecution>> const& jobs;
  std::vector<SpeedPrior> const& priors;
  double crash_power = 1;
};

/// From about there: its spreads and speeds.
std::vector<SpeedParameters> draw_speeds(SpeedEvidence const& evidence,
                                         SpeedParameters const& start, std::size_t draws,
                                         RandomStream const& stream);

/// ln of the number of GPUs at each site, over the mean of all; one where it is unknown.
std::vector<double> relative_log_gpus(std::vector<SpeedPrior> const& priors);

/// ln of the expected time of an execution.
double expected_log_time(TimedExecution const& one, SpeedParameters const& at);

}  // namespace gridcast::calibration
