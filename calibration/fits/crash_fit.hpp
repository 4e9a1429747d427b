// Where in its run a program crashes. Programs fail where something new happens to them: when they read
// what they were given (a checkpoint that does not load, a file that is missing), or at the end, when
// they write what they made. Anywhere in between is what is left for the rest. The share x of what
// remained of its work that a crashed execution had done:
//   x ~ Beta(a, b),   ln a, ln b ~ N(0, 1.5^2)
// which has its weight at the start, the end, both or neither. The posterior is on a grid; without a
// crash nothing is told, and x is uniform. x of an execution of t seconds is t / T, T the typical time
// of what remained; within [0.002, 0.998], as T is not known to less than that.
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

struct CrashMoment {
  double a = 1, b = 1;
  double probability = 1;
};

/// Of the work that remained of the job, the share that an execution had done when it ended.
/// `typical_times`: whole-job seconds at each site.
double share_done(AttemptRecord const& attempt, AttemptRecords const& records,
                  std::vector<double> const& typical_times);

/// x of each crashed execution.
std::vector<double> crash_shares(AttemptRecords const& records,
                                 std::vector<double> const& typical_times);

class CrashMomentPosterior {
 public:
  explicit CrashMomentPosterior(std::vector<double> const& shares);

  CrashMoment draw(double u) const;
  /// P(x < share), in the mean of the posterior.
  double risk_until(double share) const;

 private:
  std::vector<CrashMoment> nodes_;
};

/// Columns crash_at_a and crash_at_b; nothing without a crash.
Fit crash_moment_fit(std::vector<double> const& shares, std::size_t draws,
                     RandomStreams const& streams);

}  // namespace gridcast::calibration
