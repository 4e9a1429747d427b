// Counts from a job table, and the waiting that it shows only as a remainder.
//
// Probabilities and rates have the posteriors of Jeffreys' priors (Brown, Cai & DasGupta 2001): an
// event never seen has an interval and not the rate zero.
//   probability   p ~ Beta(hits + 1/2, misses + 1/2)
//   rate          r ~ Gamma(events + 1/2, exposure); with a shape and a rate, here and below
// Jobs that fail together are one event (fifteen neighbours with a 404 are one shock, not fifteen;
// Gallet et al. 2010). A shock hits the job that sets it off and a Poisson number of further ones,
// so
//   mean hits - 1 ~ Gamma(hits - events + 1/2, events)
// Evictions at each site are a rate pooled over sites (partial_pooling.hpp), per second of the
// executions, last transfers and retried time there.
//
// Release delay, in seconds: of the retried time of a job that was held and released, the remainder
// beyond 3,750 s a stall, shared over its holds; exponential: with n holds and their sum w
//   1 / mean ~ Gamma(n, w)
// An upper bound: the failed attempt before the hold, and waiting for the next match, are in it.
// Overhead, in seconds: slot busy - execution - last transfer, gamma by maximum likelihood
// (censored_families.hpp); whole seconds, none counting as half a second.
#pragma once

#include <cstddef>

#include "calibration/fits/estimate.hpp"
#include "calibration/inference/partial_pooling.hpp"
#include "calibration/records/table_records.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

/// Evictions at each site (as records.sites) and the slot seconds in which they could have
/// happened: executions, last transfers and retried time there. Waiting that the table cannot
/// separate from retried transfers is in the exposure: the rates err on the low side.
std::vector<SiteCount> count_evictions(TableRecords const& records);

/// Columns pilot_kill_per_s of every site, hold_on_failure, spurious_404, not_found_per_start,
/// not_found_mean_hits, network_down_per_start, network_down_mean_hits, corrupt_input,
/// corrupt_execution_s, release_transfer_hold, release_other_hold, http_abort. `walltime_ends`:
/// evictions a second that are to be expected at each site of pilots that end at their walltime,
/// which a table calls by the same name; none where it is empty.
Fit counts_fit(TableRecords const& records, std::size_t n_draws, RandomStreams const& streams,
               std::vector<double> const& walltime_ends = {});

/// Columns release_delay_mean_s (exponential) and overhead_shape, overhead_scale_s (gamma).
Fit delays_fit(TableRecords const& records, std::size_t n_draws, RandomStreams const& streams);

}  // namespace gridcast::calibration
