// What makes transfers fail together, fitted through the simulator under the pool's own rule: the
// scopes of a two-state process (origin, cache, path, node, uplink), of kind dead or slow, or no
// outage at all but links that are too narrow for those that transfer at a time; each with its own
// prior. Their parameters and their probabilities by approximate Bayesian computation with
// rejection (Pritchard et al. 1999; model choice: Grelaud et al. 2009). Simulate from the prior,
// keep the simulations nearest to the table: distance is the root mean square over summaries, each
// in units of its standard deviation among the simulations,
//   d_i^2 = mean over k of ((S_ik - S_k) / sd_k)^2
//
// Summaries of a table say how many jobs stall, how often, how unevenly, whether jobs that were
// submitted side by side share their fate and transfer in lockstep, what it costs, and how long a
// transfer that succeeded took at most (docs/calibration.md). Where a report says in words how long
// the campaign took, that is one more: ln(simulated makespan) + 0.5 z, z ~ N(0, 1), as the words
// are no measurement and the time has people's pauses in it (docs/model.md, A-WEEK).
//
// The probability of a hypothesis is its share among those kept; beside it stand its prior and its
// Bayes factor against all others together,
//   B = (posterior / (1 - posterior)) / (prior / (1 - prior))
// It depends on the summaries (Robert et al. 2011), so results are always shown under each
// hypothesis as well.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/simulated/link_fit.hpp"
#include "sim/history/job_table.hpp"

namespace gridcast::calibration {

// How far the links of a table's campaign may be from the points that fit best (link_fit.hpp): such
// a point is a search's end, and as many links make nearly the same table, so each simulation of
// the stall fits before the last has links of its own around one of the searches' ends, with the
// prior
//   move ~ N(0, sd^2)   of ln stream_limit, ln(capacity / stream_limit) at each site and ln
//                       rate_noise, and, where tries are of two kinds, of logit cold_share,
//                       ln(cold_limit / stream_limit) and ln cold_noise
// What the table says of them is s, the logarithms of the mean and of the 10 % quantile of its last
// transfers' times at each site: one is what links carry together, the other what a stream reaches
// nearly alone; where tries are of two kinds, of the median and of the 90 % quantile as well. With
// the simulations whose s is nearest to the table's, of the same sharing hypothesis, a linear
// regression of move on s gives the posterior by
//   move_i - (s_i - s_table) beta
// (regression adjustment of approximate Bayesian computation: Beaumont, Zhang & Balding 2002,
// Genetics 162; exact where moves and summaries are jointly normal), from which the links of the
// last stall fit are drawn. A summary that is outside the middle 90 % of these is taken to be at
// its end: what the model cannot make must not move its links. How far a search's end is off
// differs between the numbers of GPUs at which it was made, so the regression has an intercept of
// each of these, and the last stall fit takes the moves of simulations with about as many GPUs. A
// site without two transfers in the table has no summary, and its links keep the prior; one without
// any has those of a site of which nothing is known, drawn from the spread between the others.

/// Two a site, in the order of the shares, then that of the noise, then three of each site whose
/// tries are of two kinds. Of logarithms, and of the logit.
using LinkMove = std::vector<double>;

LinkMove draw_move(std::size_t sites, std::size_t cold_sites, RandomStream& stream);
LinkPoint moved(LinkPoint point, std::vector<SiteShare> const& shares, LinkMove const& move);

/// The move by which `from` becomes `to`.
LinkMove move_between(LinkPoint const& from, LinkPoint const& to,
                      std::vector<SiteShare> const& shares);

/// Gives the sites of `shares` without a transfer in the table the links of a site of which nothing
/// is known: ln(stream limit) and ln(capacity / stream limit) are drawn from the spread between the
/// others in `point` (SiteSpread, inference/partial_pooling.hpp). Each has a stream of its own.
LinkPoint borrow_links(LinkPoint point, LinkFit const& links, std::vector<SiteShare> const& shares,
                       std::size_t draw, RandomStreams const& streams);

/// Two a site: ln of the mean and of the 10 % quantile, s; then two of each of `cold`: of the
/// median and of the 90 % quantile. NaN with less than two transfers there.
std::vector<double> link_summary(history::JobTable const& table,
                                 std::vector<SiteShare> const& shares,
                                 std::vector<std::string> const& cold);

/// One simulation: its moves, and the summary of the table that it gave.
struct MovedLinks {
  LinkMove move;
  std::vector<double> summary;
  std::vector<double> intercepts = {1};  // LinkFit::weights() of what was moved
};

/// The moves as they would be had the simulations given the observed summary. As they are, where
/// there are too few to tell.
std::vector<LinkMove> adjusted_moves(std::vector<MovedLinks> const& simulated,
                                     std::vector<double> const& observed);

/// Names of what stall_summary() gives, for the calibration file.
std::vector<std::string> const& stall_summary_names();

/// Over the jobs that got as far as a transfer (who met a 404 had no time to stall).
std::vector<double> stall_summary(history::JobTable const& table);

/// A move of links that were those of so many GPUs.
struct MoveAt {
  double gpus = 0;
  LinkMove move;
};

/// How links are moved under each of link_hypotheses(), in order of gpus.
using LinkMoves = std::vector<std::vector<MoveAt>>;

struct StallFitOptions {
  std::size_t simulations = 40000;
  std::size_t keep = 300;
  LinkFitOptions links = {};
  AvailabilityRange availability;
  std::optional<Seconds> reported_makespan = std::nullopt;  // in the words of a report
};

struct StallFitResult {
  std::vector<Proposal> kept;                    // all columns that the direct fits do not have
  std::vector<std::size_t> kept_links;           // which of link_hypotheses() each is of
  std::vector<double> kept_gpus;                 // GPUs in all, one a kept proposal
  std::vector<HypothesisProbability> posterior;  // by hypothesis, then by scope
  LinkMoves moves;                               // of links, as the table has them
  std::vector<std::string> summaries;            // what is compared, by name
  std::vector<double> observed;                  // the table's
};

/// `moves`: what an earlier fit with the same links found; none: of the prior, around what one of
/// the searches found. All are from the links of the first search.
StallFitResult fit_stalls(SimulatedCampaign const& campaign, history::JobTable const& table,
                          std::vector<SiteShare> const& shares,
                          std::vector<LinkSearch> const& links, LinkMoves const& moves,
                          StallFitOptions const& options, RandomStreams const& streams,
                          PlayRound const& play);

/// Summaries of campaigns simulated anew from the kept draws, one each, with the row of the direct
/// fits that the draw has in the calibration: for a check of fit that did not choose them.
std::vector<std::vector<double>> simulate_again(SimulatedCampaign const& campaign,
                                                StallFitResult const& fit,
                                                StallFitOptions const& options,
                                                PlayRound const& play);

/// Stall columns that make sense before anything is fitted, for the first link fit; and those of
/// the kept simulations of one link hypothesis whose number of GPUs is nearest to `gpus`, for the
/// next.
StallProposals first_guess();
StallProposals nearest_stalls(StallFitResult const& fit, std::size_t links, double gpus,
                              std::size_t n);

}  // namespace gridcast::calibration
