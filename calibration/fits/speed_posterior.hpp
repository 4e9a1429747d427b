// The posterior of works and speeds (speed_fit.hpp), drawn by slice sampling: of one lognormal, or
// of as many kinds of jobs as the start of the search has.
//
// The evidence of each job of a record on its work, as if it had run once: its first execution that
// came to an end, or else the one that something outside cut last, by the speed of its site. A job
// whose executions were all cut is longer than any of them, and one that ended was not longer than
// the last: that is where it would have been cut. A job with crashes alone is no evidence here: a
// crash comes at a share of the job's time, long or short, and so leaves jobs out without regard to
// their work; counted as cut then, long ones would be too many.
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/fits/speed_fit.hpp"
#include "calibration/inference/censored_families.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

/// The evidence of the posterior. `priors`: one a site, around zero, models numbered from zero.
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

/// ln of the number of GPUs at each site, over the mean of all; one where it is unknown.
std::vector<double> relative_log_gpus(std::vector<SpeedPrior> const& priors);

/// ln of the expected time of an execution of jobs with such a work.
double expected_log_time(TimedExecution const& one, double log_work, SpeedParameters const& at);

/// Nothing where the job is no evidence.
TimedExecution const* informative_execution(std::vector<TimedExecution> const& job,
                                            SpeedParameters const& at);

/// For each site, its jobs' times in standard deviations from the expectation of one lognormal.
std::vector<Sample> standardised_times(std::vector<std::vector<TimedExecution>> const& jobs,
                                       SpeedParameters const& at);

/// Between the product-limit curve of jobs' times and their mixture.
double distance_of_kinds(std::vector<std::vector<TimedExecution>> const& jobs,
                         SpeedParameters const& at);

}  // namespace gridcast::calibration
