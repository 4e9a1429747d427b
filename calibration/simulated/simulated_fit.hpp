// The fits that go through the simulator, as parameters of the calibration file: availability,
// links, stalls.
#pragma once

#include "calibration/simulated/link_fit.hpp"
#include "calibration/simulated/stall_fit.hpp"

namespace gridcast::calibration {

/// Links with a first guess of stalls, stalls with these links, and both once more. Columns: gpus,
/// stream_limit_Bps, link_capacity_Bps of every site, rate_noise, and the stall columns; one draw a
/// kept simulation. `direct`: what the other fits found; its draws are used row by row.
Fit fit_through_simulator(history::JobTable const& table, scenario::Pool const& pool,
                          TableRecords const& records, int epochs, DrawTable const& direct,
                          StallFitOptions const& options, RandomStreams const& streams,
                          PlayRound const& play);

}  // namespace gridcast::calibration
