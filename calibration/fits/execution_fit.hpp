// How long a job of a table trains, in seconds:
//   execution = unpack_s + epochs x t,   t ~ the site's distribution of times an epoch
// with one t for each execution. Left out: epochs of one execution that differ from each other.
//
// Unpacking shows only where a job ended right after it, because the site's network was down:
// lognormal around the mean of those executions, with the relative scatter of the site's executions
// (or of the values themselves, if larger) as the standard deviation of its logarithm; not divided
// by their number, for neighbours are one event on one node. Elsewhere it is borrowed: the measured
// sites' geometric mean with a factor of two either way (90 %, so ln 2 / 1.6449 as the deviation of
// the logarithm); with none measured, input size / 140 MB/s (137 GB in 977 s at PDX-Coeus-CE1 in
// 2024) with a factor of three. Draws stay below half the site's shortest completed execution.
//
// t is fitted at each site that has at least five completed executions, as (execution - unpack) /
// epochs (censored_families.hpp; evicted and killed executions are censored). A site with fewer
// takes, for each draw, the distribution of another site at random (of all executions together, if
// no site has enough), moved to a median of its own: ln median ~ N(mu + a_s) from the spread
// between sites (partial_pooling.hpp), chosen by importance resampling (Rubin 1988), one of a
// thousand with the likelihood of the site's own executions as its weight.
//
// The tail is checked where it matters: of the executions at a site that were not evicted, how many
// would the fit kill at the limit, and how many were killed? Two-sided p of Binomial(n, P(execution
// > limit)), averaged over the draws. The limit is the shortest killed execution in full ten
// minutes, as the starter looks now and then.
#pragma once

#include <cstddef>

#include "calibration/fits/estimate.hpp"
#include "calibration/records/table_records.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

/// Columns unpack_s, epoch_family, epoch_shape, epoch_scale_s, epoch_shift_s of every site.
/// InputError with fewer than five completed executions in all.
Fit execution_fit(TableRecords const& records, int epochs, std::size_t n_draws,
                  RandomStreams const& streams);

}  // namespace gridcast::calibration
