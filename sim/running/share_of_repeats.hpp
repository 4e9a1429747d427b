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
#pragma once

#include <vector>

#include "sim/base/units.hpp"

namespace gridcast::running {

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
