// Steps that outlast all recorded ones that ended.
//
// A share p of all steps is usual: the logarithms of their lengths are normal, with mean m and
// standard deviation s. The others take longer than any step that ended, as jobs of another kind
// or hung ones do. With the weight w of each step as evidence, density f and survival function S
// of the usual ones, the likelihood is
//
//   prod over ended steps (p f(x))^w  prod over steps that continue (p S(x) + 1 - p)^w
//
// Priors: ln s ~ N(ln 0.2, 0.7^2), with s at most 1.2; m uniform, at most 2 s above the longest
// step; p is 1 with probability 0.3, else uniform. They are chosen by the forecasts of running
// campaigns (docs/watch.md). The posterior is on a grid, computed by shares of equal logarithms.
//
// A program that failed would have computed longer: its execution counts as one that continues, if
// any execution had a result.
//
// Example: twelve of sixty jobs that started together ended after 20 to 50 min, the last one now.
// Those that continue are as usual as they are of another kind, and the last one takes hours.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/units.hpp"

namespace gridcast::running {

struct SeenStep {
  Seconds length;        // so far, if it continues
  bool ended = true;     // false: it continues
  double weight = 1;     // as evidence
  std::uint32_t of = 0;  // the attempt, for the caller
  bool earlier = false;  // of an earlier campaign
  bool useful = true;    // false: an execution without a result of use
};

struct LongSteps {
  double mean = 0, sd = 0;  // of the logarithm of a usual step's seconds
  double usual = 0;         // p; 0 if no step ended

  /// The probability that a step of this age is a usual one.
  double share_of_usual(Seconds age) const;
  /// The length of a usual step, given that it is longer than `age`; `u` is uniform.
  Seconds length_beyond(Seconds age, double u) const;
};

class LongStepsPosterior {
 public:
  LongStepsPosterior() = default;  // no step ended
  explicit LongStepsPosterior(std::vector<SeenStep> const& seen);

  LongSteps draw(double u) const;

 private:
  struct Point {
    LongSteps law;
    double share;  // of this one and all before
  };
  std::vector<Point> points_;
};

}  // namespace gridcast::running
