// The law of a step's length in a campaign that is still running: an execution, a wait, a hold.
//
// Steps that ended and steps that continue are evidence alike. The cumulative hazard is the
// estimator of Nelson and Aalen (Aalen 1978, Annals of Statistics 6): each step that ended adds
//
//   w / (sum of the weights of all steps that lasted as long)
//
// and a step that continues counts among those that lasted as long. The remaining time of a step
// that has lasted for `age` is the law, given that it is longer.
//
// Nobody knows how long steps take that outlast the longest one that ended, x_L. They are alike:
// in one possible future they take max(age, x_L) (1 + (c - 1) u), with a uniform u of each step and
// one common factor c, P(c > x) = x^-alpha. With d ended steps above the length m that a sixth of
// the ended steps exceed (five at least),
//
//   alpha = max(1.5, Gamma(2 + d, 1 + sum ln(x / m)))
//
// where the sum is over all steps above m. With no ended step the median of those that continue
// stands for x_L.
//
// Example: executions of 60, 70 and 80 min, and one that has run for 75 min. Half of the hazard at
// 80 min belongs to the step that ended there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"

namespace gridcast::running {

struct SeenStep {
  Seconds length;        // so far, if it continues
  bool ended = true;     // false: it continues
  double weight = 1;     // as evidence
  std::uint32_t of = 0;  // the attempt, for the caller
  bool earlier = false;  // of an earlier campaign
};

class StepLaw {
 public:
  /// `usual`: the length from which the tail begins where no step is known.
  explicit StepLaw(std::vector<SeenStep> seen, Seconds usual = hours(1));

  /// The same evidence with random weights (Bayesian bootstrap, gamma variables of shape 4) and a
  /// drawn factor beyond them: the law of one possible future.
  StepLaw redrawn(RandomStream stream) const;

  struct Drawn {
    Seconds length;                        // of the whole step, `age` or more
    std::optional<std::uint32_t> of = {};  // of a step that ended so; none where no step ended
  };
  /// A length, given that it is at least `age`. Uses at most three uniforms.
  Drawn draw(Seconds age, RandomStream& stream) const;

  bool any_ended() const { return !ends_.empty(); }
  /// The quantile p of the lengths of the steps that ended; of those of an earlier campaign only if
  /// there are no others. Nothing without such steps.
  std::optional<Seconds> ended_quantile(double p) const;

 private:
  void add_up();
  Seconds tail_threshold() const;
  void fit_tail();
  double hazard_before(Seconds age) const;

  std::vector<SeenStep> seen_;  // by length; of one length those that ended first
  Seconds usual_;
  std::vector<double> hazard_;       // cumulative, of the ended steps
  std::vector<std::uint32_t> ends_;  // indices of the ended steps
  Seconds tail_from_;
  double tail_events_ = 0, tail_exposure_ = 0;
  double beyond_ = 1.6;  // c; about its median where alpha is 1.5
};

}  // namespace gridcast::running
