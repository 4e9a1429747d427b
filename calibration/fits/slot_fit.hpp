// How many slots a site has, from the most that ran jobs at one time. If jobs waited meanwhile,
// these were all. Elsewhere there may be more, and the most seen, n, is a lower bound: a draw has n
// f, in whole pilots, with
//
//   P(f > x) = 1 / x   (Pareto with exponent 1, the same at each scale), cut at f =
//                      20
//
// One f for all such sites of a record, as one cause keeps their slots out of sight: the record's
// jobs were few. Assumption A-MORE-SLOTS (docs/model.md).
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/records/pilot_records.hpp"

namespace gridcast::calibration {

/// The most times as many slots as were seen.
inline constexpr double most_times_seen = 20;

/// The quantile of f: 1 at 0, 20 at 1.
double times_seen(double probability);

enum class SlotsThere {
  at_least_seen,
  as_seen  // the pool is known otherwise
};

/// `slots.SITE`.
Fit slot_fit(std::vector<SlotCount> const& slots, SlotsThere there, std::size_t draws,
             RandomStreams const& streams);

}  // namespace gridcast::calibration
