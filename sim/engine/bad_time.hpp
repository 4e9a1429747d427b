// Until when a recorded job's attempts fail, and what going elsewhere changes: the part of a replay
// that the record cannot tell.
#pragma once

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::engine {

class BadTime {
 public:
  /// `failures` attempts of `cost` each failed, the next did not: it was bad until somewhere within
  /// the last one. No failures: never bad.
  BadTime(scenario::StallParameters const& draw, int failures, Seconds cost, RandomStream stream);

  /// The job's first attempt starts now; before, the clock ran for something else (evictions).
  void start_at(Seconds now) { until_ += now; }

  bool bad(Seconds at) const { return at < until_; }
  /// The job's next attempt uses another slot (and with it another path), at `at`.
  void another_slot(Seconds at);
  /// It uses another cache, through the same slot.
  void another_cache(Seconds at);

 private:
  void draw_again(Seconds at);

  scenario::StallParameters const& draw_;
  RandomStream stream_;
  Seconds until_;
};

}  // namespace gridcast::engine
