// The probability that an execution is its job's last one, and how it falls with each execution
// that was not: a job that was evicted twenty times is likely to be evicted again.
//
// Each job has a probability p of its own, p ~ Beta(m s, (1 - m) s). After k executions that the
// job repeated it is Beta(m s, (1 - m) s + k), with the mean  m s / (s + k). The pair (m, s) is
// drawn from its posterior on a grid: the logit of m is normal with the mean 3 and the standard
// deviation 2, and the logarithm of s is uniform between those of 1 and 500. The likelihood of a
// job that ended after k repeats is
//
//   B(m s + 1, (1 - m) s + k) / B(m s, (1 - m) s)
//
// and without the "+ 1" that of a job that has not ended (beta-geometric law, Weinberg & Gladen
// 1986, Biometrics 42).
//
// Example: of 50 jobs 40 ended with their first execution, and 10 have had 30 evictions each. Then
// s is small, and those 10 have a mean of m s / (s + 30): about 1 in 30.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"

namespace gridcast::running {

struct JobRepeats {
  std::size_t repeats = 0;  // executions that did not end the job
  bool ended = false;
  double weight = 1;  // as evidence
};

struct EndingOdds {
  double a = 1, b = 1;  // of the beta law

  /// The probability of a job that repeated so many executions.
  double mean(std::size_t repeats) const { return a / (a + b + static_cast<double>(repeats)); }
  double draw(std::size_t repeats, RandomStream& stream) const;
};

class EndingOddsPosterior {
 public:
  explicit EndingOddsPosterior(std::vector<JobRepeats> const& jobs);

  EndingOdds draw(RandomStream stream) const;
  /// The posterior mean of m, and of s by its logarithm.
  EndingOdds middle() const;

 private:
  struct Point {
    double logit_mean, log_size, share;
  };
  std::vector<Point> points_;  // shares add up to one
};

// How likely an execution is to be repeated, given how long it has lasted.
//
// Among all executions that lasted as long, r were repeated, e ended their jobs, and c continue.
// Each of the latter will be repeated with its own probability q. The share is
//
//   s(a) = (r + sum q) / (r + e + c)
//
// A job whose own probability q differs from the campaign's, q0, has the odds s / (1 - s) times the
// ratio of the odds of q and of q0. Beyond all executions s is q0.
//
// Example: evictions came within 10 min, results after an hour. An execution that has lasted for
// 30 min is hardly ever repeated.
class ShareOfRepeats {
 public:
  struct Execution {
    Seconds length;
    double repeated;    // 1 or 0; the probability if it continues
    double weight = 1;  // as evidence
  };
  /// `usual`: q0.
  ShareOfRepeats(std::vector<Execution> executions, double usual);

  /// The probability of an execution of this age, of a job with the probability q.
  double of(Seconds age, double q) const;

 private:
  std::vector<Execution> executions_;  // by length
  std::vector<double> repeated_;       // share of this one and all longer ones
  double usual_;
};

}  // namespace gridcast::running
