// What happens so many times: probabilities and rates from counts, with Jeffreys posteriors, so
// that an event never seen has an interval and not the rate zero:
//   probability  Beta(hits + 1/2, misses + 1/2)      rate  Gamma(events + 1/2, exposure)
// Jobs that fail together are one event (fifteen neighbours with a 404 are one shock, not fifteen).
#pragma once

#include <cstddef>

#include "calibration/estimate.hpp"
#include "calibration/event_counts.hpp"
#include "calibration/record.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

/// Columns pilot_kill_per_s of every site, hold_on_failure, spurious_404, not_found_per_start,
/// not_found_mean_hits, network_down_per_start, network_down_mean_hits, corrupt_input,
/// corrupt_execution_s, release_transfer_hold, release_other_hold, http_abort.
Fit counts_fit(Records const& records, std::size_t n_draws, RandomStreams const& streams);

}  // namespace gridcast::calibration
