// How much longer than a usual rank the ranks of a synchronous step take, and how long a slow one stays
// slow. A rank's time over the usual one's is
//   f = exp(c + r) (1 + e)
//   c   the rank's own, all the job long (an older GPU, a shared host): normal, sd rank_spread
//   r   what changes: normal, sd spread, with memory: r(t + 1) = a r(t) + sqrt(1 - a^2) sd z,
//       a = exp(-1/steady_steps) (an AR(1) process; 0 steps: fresh each step)
//   e   of a rank in its slow state alone, which it is in for a share slow_share of the time, for
//       slow_steps on average (geometric): lognormal, median slow_by, sd of its logarithm slow_spread,
//       one draw a spell. That is the heavy tail.
// A step takes as long as its slowest rank: with n alike, P(f_max <= x) = F(x)^n, and E[f_max] is the
// integral of 1 - F(x)^n. Persistence does not change the mean of a step; it decides what it is worth to
// drop or to replace the slowest, and how far one job is from the next.
//
// Measured: ten workers of two production jobs (Alibaba, cluster-trace-gpu-v2020): lag-1 correlations
// of 0.5 to 0.9, one worker the slowest in 97 % of one job's steps (docs/sources.md). Where only `spread`
// is set, r is fresh and the closed form is that of step_time.hpp.
#pragma once

#include <vector>

#include "sim/base/random.hpp"
#include "sim/scenario/profile.hpp"

namespace gridcast::training {

/// Whether there is more than the spread of step_time.hpp.
bool has_persistence(scenario::ComputeSpec const& compute);

/// P(f <= x) of one rank; of one whose own factor exp(c) is known to be `own`.
double straggler_cdf(scenario::ComputeSpec const& compute, double x);
double straggler_cdf(scenario::ComputeSpec const& compute, double x, double own);

/// E of the k-th slowest of n alike, k = 1 the slowest.
double expected_slowest(scenario::ComputeSpec const& compute, int n, int k = 1);
/// What the slowest of n alike does not exceed with probability p.
double slowest_quantile(scenario::ComputeSpec const& compute, int n, double p);
/// The same of ranks whose own factors are known.
double slowest_quantile(scenario::ComputeSpec const& compute, std::vector<double> const& own,
                        double p);

/// The slowest rank's factor, step after step.
class StragglerWalk {
 public:
  StragglerWalk(scenario::ComputeSpec const& compute, int ranks, RandomStream stream);
  double next();

 private:
  struct Rank {
    double own = 0, changing = 0;
    double excess = 0;  // 0: not in its slow state
  };
  void move(Rank& rank);
  double normal();

  scenario::ComputeSpec compute_;
  RandomStream stream_;
  double memory_;
  std::vector<Rank> ranks_;
};

}  // namespace gridcast::training
