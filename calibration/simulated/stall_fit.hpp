// What makes attempts stall, fitted through the simulator: three scopes of the same two-state
// process (origin, cache, path), each with its own prior; their parameters and their probabilities by
// approximate Bayesian computation with rejection (Pritchard et al. 1999; model choice: Grelaud et al.
// 2009). Simulate from the prior, keep the simulations nearest to the table: distance is the root
// mean square over summaries, each in units of its standard deviation among the simulations,
//   d_i^2 = mean over k of ((S_ik - S_k) / sd_k)^2
//
// Summaries of a table say, in a dozen numbers, how many jobs stall, how often, how unevenly, whether
// table neighbours at a site share their fate, and what it costs; the share with 12 to 14 stalls was
// added when the published counts were seen to pile up there (docs/calibration.md).
//
// The probability of a hypothesis is its share among those kept, prior one half each for "overload"
// (of a cache 3/8, of the origin 1/8) and "bad path". It depends on the summaries (Robert et al.
// 2011), so results are always shown under each hypothesis as well.
#pragma once

#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/simulated/link_fit.hpp"
#include "sim/history/job_table.hpp"
#include "sim/study/replica_pool.hpp"

namespace gridcast::calibration {

/// Names, for the calibration file.
std::vector<std::string> const& stall_summary_names();

/// Over the jobs that got as far as a transfer (who met a 404 had no time to stall).
std::vector<double> stall_summary(history::JobTable const& table);

struct StallFitOptions {
  std::size_t simulations = 100000;
  std::size_t keep = 300;
  unsigned processes = 2;
  AvailabilityRange availability;
};

/// Thrown when Ctrl-C ends a fit: nothing is written.
struct CalibrationInterrupted {};

struct StallFitResult {
  std::vector<Proposal> kept;                    // all columns that the direct fits do not have
  std::vector<double> kept_gpus;                 // GPUs in all, one a kept proposal
  std::vector<HypothesisProbability> posterior;  // by hypothesis, then by scope
  std::vector<double> observed;                  // summaries of the table
  std::vector<std::vector<double>> kept_summaries;
};

StallFitResult fit_stalls(SimulatedCampaign const& campaign, history::JobTable const& table,
                          std::vector<SiteShare> const& shares, LinkFit const& links,
                          StallFitOptions const& options, study::Progress const& progress,
                          RandomStreams const& streams);

/// Stall columns that make sense before anything is fitted, for the first link fit; and those of
/// the kept simulations whose number of GPUs is nearest to `gpus`, for the next.
StallProposals first_guess();
StallProposals nearest_stalls(StallFitResult const& fit, double gpus, std::size_t n);

}  // namespace gridcast::calibration
