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
#include <cstdint>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"
#include "sim/running/running_campaign.hpp"

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

// The slots that a campaign has had, and whether its jobs wait for them.
//
// A pool is full for the campaign if the jobs in slots, averaged over the time of the later half
// of all changes, are three quarters of their maximum or more. Then a job that waits for its first
// slot gets one when another job is over, after a gap as in the record: from the last end of an
// attempt that no start has followed to the start of the next one. The number of slots to come is
//
//   K = most exp(0.25 Z), Z normal
//
// Otherwise something else paces the starts, and they follow StartLaw. A job keeps its slot
// until it is over, also while it waits or is held.
//
// Example: 80 jobs, 16 slots. Each start after the first 16 follows the end of an attempt
// by 1 to 3 s.
struct SlotUse {
  std::size_t most = 0;            // jobs in slots at a time
  double share = 0;                // of these, on average
  std::vector<Seconds> gaps = {};  // from an end to the next start

  bool full() const;
};

SlotUse slot_use(RunningCampaign const& campaign);

/// The slots of one future, as jobs take them one after the other.
class SlotQueue {
 public:
  /// `ends`: of the jobs that have slots now, after now.
  SlotQueue(SlotUse const& use, std::vector<Seconds> ends, RandomStream stream);

  /// The time after now of the next start.
  Seconds next_start();
  /// The job that started is over.
  void give_back(Seconds at);

 private:
  SlotUse const& use_;
  RandomStream stream_;
  std::vector<Seconds> free_;  // a heap, the earliest first
};

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
