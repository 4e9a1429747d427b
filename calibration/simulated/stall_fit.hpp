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
#include "calibration/simulated/link_moves.hpp"
#include "sim/history/job_table.hpp"

namespace gridcast::calibration {

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
