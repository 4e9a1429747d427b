// The fits that go through the simulator, as parameters of the calibration file: availability,
// links and stalls; and the correction by simulated campaigns of what is fitted directly to a
// table's counts.
//
// Those counts say less than their posteriors take them to: holds of one shock that were
// released look like transfers' own, a shock that retries interrupt counts as several, a pilot that
// ended at its walltime counts as a kill, seconds are whole. How far that leads astray the model
// itself tells (simultaneous adjustment of bias and coverage: Menendez, Fan, Garthwaite & Sisson
// 2014, Computational Statistics & Data Analysis 70): each draw's campaign is simulated, its table
// fitted as the real one was, and with g = ln (logit of probabilities, ln(x - 1) of a shock's mean
// hits) the error
//   e_i = g(estimate of campaign i) - g(what it was simulated with)
// gives the bias m, its median, and the spread s, half of its 16 to 84 % range. A draw x of a fit
// with the estimate x0 and the spread d of g(x) becomes
//   g^-1( g(x0) - m + f (g(x) - g(x0)) ),   f = max(1, s / d)
// so a posterior that is right stays as it is, and none becomes narrower.
//
// Pilots that end at their walltime come first, as they add to what is counted and multiply
// nothing: over the simulated campaigns, N_i evictions in the exposure E_i with the rate of kills
// x_i, the least squares of
//   N_i = a x_i E_i + w E_i
// give w, how many of them a second are to be expected (and a, the part of the exposure in which a
// pilot could be killed), and the rates are fitted again with these as a background (PooledRate).
#pragma once

#include <functional>

#include "calibration/fits/estimate.hpp"
#include "calibration/inference/partial_pooling.hpp"
#include "calibration/simulated/link_fit.hpp"
#include "calibration/simulated/stall_fit.hpp"

namespace gridcast::calibration {

/// Links with a first guess of stalls, stalls with these links, and both once more: links by
/// several searches, and how far from these the table has them. Columns: gpus,
/// stream_limit_Bps, link_capacity_Bps of every site, rate_noise, and the stall columns; one draw a
/// kept simulation. `direct`: what the other fits found; its draws are used row by row.
Fit fit_through_simulator(history::JobTable const& table, scenario::Pool const& pool,
                          TableRecords const& records, int epochs, DrawTable const& direct,
                          StallFitOptions const& options, RandomStreams const& streams,
                          PlayRound const& play);

/// Evictions and exposure, site by site, in the table of the campaign simulated in that row of the
/// draws.
using EvictionsAgain = std::function<std::vector<SiteCount>(std::uint32_t row)>;

/// Evictions a second, expected at each site, of pilots that ended at their walltime. Played in one
/// round.
std::vector<double> walltime_ends(DrawTable const& draws, std::vector<std::string> const& sites,
                                  EvictionsAgain const& again, PlayRound const& play);

/// What is fitted directly to the table of the campaign simulated in that row of the draws:
/// estimates in the order of the fit that is corrected. Played in one round.
using FitAgain = std::function<Fit(std::uint32_t row)>;

/// The fit with its columns corrected, but those that the table does not identify or has no event
/// of.
Fit recalibrated(Fit fit, FitAgain const& again, std::size_t campaigns, PlayRound const& play);

}  // namespace gridcast::calibration
