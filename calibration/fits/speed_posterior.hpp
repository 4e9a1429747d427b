// The posterior of works and speeds (speed_fit.hpp), drawn by slice sampling: of one lognormal, or
// of as many kinds of jobs as the start of the search has.
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/fits/speed_fit.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

/// What the posterior is of. `priors`: one a site, around zero, models numbered from zero.
struct SpeedEvidence {
  std::vector<std::vector<TimedExecution>> const& jobs;
  std::vector<SpeedPrior> const& priors;
  double crash_power = 1;
};

struct SpeedDraw {
  SpeedParameters at;
  double tau = 0;  // between sites ...
  std::vector<double>
      log_centers;  // ... around these: the catalogue, GPUs, the taste for the model
};

/// From about there: its spreads and speeds; of several kinds of jobs those with the shares.
std::vector<SpeedDraw> draw_speeds(SpeedEvidence const& evidence, SpeedParameters const& start,
                                   std::size_t draws, RandomStream const& stream);

/// ln of the likelihood of all jobs.
double log_likelihood(SpeedEvidence const& evidence, SpeedParameters const& at);

/// ln of the number of GPUs at each site, over the mean of all; one where it is not told.
std::vector<double> relative_log_gpus(std::vector<SpeedPrior> const& priors);

}  // namespace gridcast::calibration
