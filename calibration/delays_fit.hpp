// Waiting that the table shows only as what is left over: hold to release, and the seconds of a
// slot that neither transfer nor compute.
#pragma once

#include <cstddef>

#include "calibration/estimate.hpp"
#include "calibration/record.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

/// Columns release_delay_mean_s (exponential) and overhead_shape, overhead_scale_s (gamma).
///
/// Release delay: of the retried time of a job that was held and released, what 3,750 s a stall
/// leaves, shared over its holds (a stall costs 3,600 s of silence and U(0, 300) s to the next
/// look). An upper bound: the failed attempt before the hold, and waiting for the next match, are
/// in it.
Fit delays_fit(Records const& records, std::size_t n_draws, RandomStreams const& streams);

}  // namespace gridcast::calibration
