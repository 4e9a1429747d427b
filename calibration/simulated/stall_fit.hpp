// Causes of joint failures of transfers, fitted through the simulator under the pool's stall rule.
// The hypotheses are a two-state process with a scope (origin, cache, path, node, uplink) and a
// kind (dead or slow), or no outage but links that are too narrow for the concurrent transfers.
// Each has its own prior. Parameters and probabilities come from approximate Bayesian computation
// with rejection (Pritchard et al. 1999; model choice: Grelaud et al. 2009): simulate from the
// prior, keep the simulations nearest to the table. The distance is the root mean square over
// summaries, each in units of its standard deviation among the simulations,
//   d_i^2 = mean over k of ((S_ik - S_k) / sd_k)^2
//
// The summaries of a table (docs/calibration.md) measure how many jobs stall, how often and how
// unevenly, how alike neighbouring jobs of a cluster are, the time lost, and the longest transfer
// that succeeded. A report may state in words how long the campaign took. Then there is one more
// summary, ln(simulated makespan) + 0.5 z, z ~ N(0, 1): the words are no measurement, and the time
// includes people's pauses (docs/model.md, A-WEEK).
//
// The probability of a hypothesis is its share of the kept simulations. Its prior is given beside
// it, and its Bayes factor against all others together,
//   B = (posterior / (1 - posterior)) / (prior / (1 - prior))
// The probability depends on the choice of summaries (Robert et al. 2011), so results are always
// shown under each hypothesis as well.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/simulated/link_moves.hpp"
#include "sim/history/job_table.hpp"

namespace gridcast::calibration {

/// Names of the values of stall_summary(), for the calibration file.
std::vector<std::string> const& stall_summary_names();

/// Over the jobs that reached a transfer (a job that met a 404 had no time to stall).
std::vector<double> stall_summary(history::JobTable const& table);

/// A move of the links fitted at a number of GPUs.
struct MoveAt {
  double gpus = 0;
  LinkMove move;
};

/// The moves of links under each of link_hypotheses(), in order of gpus.
using LinkMoves = std::vector<std::vector<MoveAt>>;

struct StallFitOptions {
  std::size_t simulations = 40000;
  std::size_t keep = 300;
  LinkFitOptions links = {};
  AvailabilityRange availability;
  std::optional<Seconds> reported_makespan = std::nullopt;  // as a report states it in words
};

struct StallFitResult {
  std::vector<Proposal> kept;                    // all columns that the direct fits do not have
  std::vector<std::size_t> kept_links;           // index of each in link_hypotheses()
  std::vector<double> kept_gpus;                 // total GPUs of each kept proposal
  std::vector<HypothesisProbability> posterior;  // by hypothesis, then by scope
  LinkMoves moves;                               // of links, adjusted to the table
  std::vector<std::string> summaries;            // names of the compared summaries
  std::vector<double> observed;                  // summaries of the table
};

/// `moves`: those of an earlier fit with the same links. If empty, moves are drawn from the prior
/// around the end of one search after the other. All start at the links of the first search.
StallFitResult fit_stalls(SimulatedCampaign const& campaign, history::JobTable const& table,
                          std::vector<SiteShare> const& shares,
                          std::vector<LinkSearch> const& links, LinkMoves const& moves,
                          StallFitOptions const& options, RandomStreams const& streams,
                          RunRound const& run_all);

/// Summaries of new simulations of the kept draws, one each, for a test of the fit with data that
/// did not select the draws. Each has the row of the direct fits that the draw has in the file.
std::vector<std::vector<double>> simulate_again(SimulatedCampaign const& campaign,
                                                StallFitResult const& fit,
                                                StallFitOptions const& options,
                                                RunRound const& run_all);

/// Plausible stall columns for the first link fit; and, for the next link fit, the columns of the n
/// kept simulations of one link hypothesis whose number of GPUs is nearest to `gpus`.
StallProposals first_guess();
StallProposals nearest_stalls(StallFitResult const& fit, std::size_t links, double gpus,
                              std::size_t n);

}  // namespace gridcast::calibration
