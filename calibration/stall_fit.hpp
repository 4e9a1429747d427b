// What makes attempts stall, fitted through the simulator: three scopes of the same two-state
// process (origin, cache, path), each with its own prior; their parameters and their weights by
// approximate Bayesian computation (Pritchard et al. 1999; model choice: Grelaud et al. 2009).
// Simulate from the prior, keep the simulations whose summaries (stall_summary) are nearest to the
// table's.
//
// The weight of an explanation is its share among those kept, prior one half each for "overload"
// (of a cache 3/8, of the origin 1/8) and "bad path". It depends on the summaries (Robert et al.
// 2011), so results are always shown under each explanation as well.
#pragma once

#include <cstdint>
#include <vector>

#include "calibration/file.hpp"
#include "calibration/link_fit.hpp"
#include "sim/study/replica_pool.hpp"

namespace gridcast::calibration {

struct StallFitOptions {
  std::size_t simulations = 100000;
  std::size_t keep = 300;
  unsigned processes = 2;
  AvailabilityRange availability;
};

/// Thrown when Ctrl-C ends a fit: nothing is written.
struct CalibrationInterrupted {};

struct StallFitResult {
  std::vector<Proposal> kept;        // all columns that the direct fits do not have
  std::vector<double> kept_gpus;     // GPUs in all, one a kept proposal
  std::vector<ModelWeight> weights;  // by explanation, then by scope
  double tolerance = 0;              // largest distance kept, in scaled summaries
  std::vector<double> observed;      // summaries of the table
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
