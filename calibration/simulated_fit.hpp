// The fits that go through the simulator, as parameters of the calibration file: availability,
// links, stalls.
#pragma once

#include <cstddef>

#include "calibration/link_fit.hpp"
#include "calibration/stall_fit.hpp"
#include "sim/study/replica_pool.hpp"

namespace gridcast::calibration {

struct SimulatedFitOptions {
  StallFitOptions stalls;
  study::Progress progress;
};

struct SimulatedFit {
  Fit fit;
  std::vector<ModelWeight> weights;
};

/// Links with a first guess of stalls, stalls with these links, and both once more. Columns: gpus,
/// stream_limit_Bps, link_capacity_Bps of every site, rate_noise, and the stall columns; one draw a
/// kept simulation. `direct`: what the other fits found; its draws are used row by row.
SimulatedFit fit_through_simulator(history::JobTable const& table, scenario::Pool const& pool,
                                   Records const& records, int epochs, DrawTable const& direct,
                                   SimulatedFitOptions const& options,
                                   RandomStreams const& streams);

}  // namespace gridcast::calibration
