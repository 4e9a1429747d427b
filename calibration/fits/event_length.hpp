// How long a failure lasts that hits every start, from the number of starts that it hit in a table
// without dates.
//
// Two hypotheses have the same prior weight:
//   in starts  each event hits a Poisson number of further starts with the mean m. The prior of m
//              is log-uniform from one to the number of jobs.
//   in time    each event lasts an exponential time with the mean L. The prior of L is log-uniform
//              from a minute to two hours. A job that fails at once leaves its slot to the next
//              one, so the queue starts jobs at a steady pace r. E events have K further hits with
//                P(K) = C(K + E - 1, K) q^K (1 - q)^E,   q = r L / (1 + r L)
//              the negative binomial probability of Poisson starts in exponential times.
// The marginal likelihoods give the posterior of the hypotheses. The posterior of L follows from
// Bayes' rule on a grid.
//
// Example: one event with 14 further hits among 100 jobs, at r = 0.6 starts a second, has lasted a
// time with probability 0.23. L is then below six minutes with probability 0.8, since a longer
// event would probably have hit more jobs.
#pragma once

#include <vector>

namespace gridcast::calibration {

/// Hits of events, and the queue that they met.
struct HitStarts {
  int events = 0, further = 0;   // hits beyond the first of each event
  double starts_per_second = 0;  // of jobs that fail at once
  int jobs = 0;
};

class EventLength {
 public:
  explicit EventLength(HitStarts const& hits);

  /// Posterior probability that the events last a time.
  double in_time() const { return in_time_; }
  /// Quantile of L in seconds, if they do.
  double quantile(double probability) const;

 private:
  double in_time_ = 0;
  std::vector<double> seconds_, below_;  // grid of L and its cumulative posterior
};

}  // namespace gridcast::calibration
