// When jobs that have never had a slot get one.
//
// While jobs wait, first starts follow each other with gaps. The rate now is that of the latest
// starts: the last third of them, but at least five and one gap, over the sum of their gaps. The
// gap that is open now belongs to the sum. Gaps of one burst are zero, and bursts follow the
// negotiator's cycle, so n starts are fewer independent observations than n:
//
//   n_eff = (sum of gaps)^2 / (sum of squared gaps)
//   ln rate ~ N(ln(n / sum of gaps), 1 / n_eff + 0.5^2)
//
// where 0.5 is for the time to come. A gap is zero with the probability 1 - n_eff / n, else
// exponential, with the mean 1 / rate over both. With no start so far the whole wait of the first
// job has P(T > x) = wait / x, and the others follow evenly within a lognormal time around that.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"

namespace gridcast::running {

/// The time of a job in the queue before its first attempt; it is there until `left`.
struct FirstWait {
  Seconds submitted, left;
  bool waits = false;  // it still does
};

class StartLaw {
 public:
  StartLaw(std::vector<FirstWait> const& jobs, Seconds now);

  /// Times after now of the next `jobs` starts, ascending.
  std::vector<Seconds> draw(std::size_t jobs, RandomStream stream) const;

  double starts() const { return starts_; }
  Seconds gaps() const { return gaps_; }
  double independent() const { return independent_; }

 private:
  double starts_ = 0;       // of which the rate is taken
  Seconds gaps_;            // their sum
  double independent_ = 0;  // n_eff
};

}  // namespace gridcast::running
