// The fits that go through the simulator, as parameters of the calibration file: availability,
// links and stalls; and the correction by simulated campaigns of the direct fits to a
// table's counts.
//
// Those counts contain less information than their posteriors assume: released holds of one shock
// look like single failures of transfers, a shock that retries interrupt counts as several, a pilot
// that ended at its walltime counts as a kill, seconds are whole. Simulations measure the error
// (simultaneous adjustment of bias and coverage: Menendez, Fan, Garthwaite & Sisson 2014,
// Computational Statistics & Data Analysis 70): each draw's campaign is simulated and its table is
// fitted in the same way as the real one. With g = ln (logit for probabilities, ln(x - 1) for a
// shock's mean hits) the error
//   e_i = g(estimate of campaign i) - g(true value in campaign i)
// has the median m, the bias, and the spread s, half of its 16 to 84 % range. A draw x of a fit
// with the estimate x0 and the spread d of g(x) becomes
//   g^-1( g(x0) - m + f (g(x) - g(x0)) ),   f = max(1, s / d)
// A correct posterior stays unchanged, and no posterior becomes narrower.
//
// Pilots that end at their walltime are corrected first, because they add to the count and multiply
// nothing. Simulated campaign i has N_i evictions in the exposure E_i at the kill rate x_i. The
// least squares of
//   N_i = a x_i E_i + w E_i
// give w, the expected number of such ends a second (and a, the part of the exposure in which a
// pilot could be killed). The rates are fitted again with w as a background (PooledRate).
#pragma once

#include <functional>

#include "calibration/fits/estimate.hpp"
#include "calibration/inference/partial_pooling.hpp"
#include "calibration/simulated/link_fit.hpp"
#include "calibration/simulated/stall_fit.hpp"

namespace gridcast::calibration {

/// Fits links with a first guess of stalls, then stalls with these links, then both once more:
/// links by several searches, their moves by the stall fits. Columns: gpus, stream_limit_Bps and
/// link_capacity_Bps of every site, rate_noise, and the stall columns; one draw for each kept
/// simulation. `direct`: the draws of the other fits, used row by row.
Fit fit_through_simulator(history::JobTable const& table, scenario::Pool const& pool,
                          TableRecords const& records, int epochs, DrawTable const& direct,
                          StallFitOptions const& options, RandomStreams const& streams,
                          RunRound const& run_all);

/// Evictions and exposure, site by site, in the table of the campaign simulated in that row of the
/// draws.
using EvictionsAgain = std::function<std::vector<SiteCount>(std::uint32_t row)>;

/// Expected evictions a second at each site by pilots that ended at their walltime. Simulates one
/// round.
std::vector<double> walltime_ends(DrawTable const& draws, std::vector<std::string> const& sites,
                                  EvictionsAgain const& again, RunRound const& run_all);

/// The direct fit to the table of the campaign simulated in that row of the draws. Its estimates
/// have the order of the fit that is corrected.
using FitAgain = std::function<Fit(std::uint32_t row)>;

/// The fit with its columns corrected, in one simulated round. Columns that the table does not
/// identify, or has no event for, stay unchanged.
Fit recalibrated(Fit fit, FitAgain const& again, std::size_t campaigns, RunRound const& run_all);

}  // namespace gridcast::calibration
