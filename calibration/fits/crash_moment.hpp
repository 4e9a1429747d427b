// The moment at which a program crashes. Programs fail where something new happens
// to them: when they read their input (a checkpoint that does not load, a file that is missing), or
// at the end, when they write their results. The rest fail anywhere in between. The share x of its
// remaining work that a crashed execution had done:
//   x ~ Beta(a, b),   ln a, ln b ~ N(0, 1.5^2)
// which has its weight at the start, the end, both or neither. The posterior is on a grid; without
// a crash there is no evidence, and x is uniform.
//
// An execution that crashed after t seconds shows y = t / T, T the typical time of the remaining
// work. Its own time is not known: ln y = ln x + s z, z ~ N(0, 1), s the spread of executions
// around T with the rounding of stamps (tick / t, a triangle: variance 1 / 6 of its square). So the
// density of ln y is the mean over z of that of ln x at ln y - s z, x f(x), where x < 1; x at most
// 0.998 there, as no T is known to less, and at least 1e-5. More than a thousand crashes are
// replaced by so many, evenly chosen.
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/fits/speed_fit.hpp"
#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

struct CrashMoment {
  double a = 1, b = 1;
  double probability = 1;
};

/// The share of the job's remaining work that an execution had done when it ended.
double share_done(AttemptRecord const& attempt, AttemptRecords const& records,
                  TypicalTimes const& typical_times);

/// y of a crashed execution, and s.
struct CrashShare {
  double share = 0, log_sd = 0;
};
std::vector<CrashShare> crash_shares(AttemptRecords const& records,
                                     TypicalTimes const& typical_times);

class CrashMomentPosterior {
 public:
  explicit CrashMomentPosterior(std::vector<CrashShare> const& shares);

  CrashMoment draw(double u) const;
  /// P(x < share), in the mean of the posterior.
  double risk_until(double share) const;

 private:
  std::vector<CrashMoment> nodes_;
};

/// Columns crash_at_a and crash_at_b; nothing without a crash.
Fit crash_moment_fit(std::vector<CrashShare> const& shares, std::size_t draws,
                     RandomStreams const& streams);

}  // namespace gridcast::calibration
