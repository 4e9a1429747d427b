// One replica of a scenario, for any source of its jobs: steps that are drawn from fitted processes
// (engine/replica.hpp), or whole job histories of the calibration's record
// (engine/resampled_jobs.hpp), which the strategy then replays (engine/replay.hpp).
#pragma once

#include <cstdint>

#include "sim/engine/replica.hpp"
#include "sim/history/job_history.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::study {

/// A history without events: the jobs that the strategy submits, and the sites that they can be at.
history::JobHistory names_of(scenario::Scenario const& scenario,
                             scenario::Strategy const& strategy);

/// Which replica it is, and the parameters that it has.
struct ReplicaKey {
  std::uint64_t seed = 1;
  std::uint32_t replica = 0;
  scenario::ParameterDraw const& draw;
};

/// Events go to `sink` and are not kept. `names`: names_of(scenario, strategy).
engine::ReplicaAudit simulate_into(history::HistorySink& sink, history::JobHistory const& names,
                                   scenario::Scenario const& scenario,
                                   scenario::Strategy const& strategy, ReplicaKey const& key,
                                   engine::ReplicaOptions const& options = {});

/// Keeps the events. `watcher` (may be null) receives them while they happen.
engine::Replica simulate(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                         ReplicaKey const& key, engine::ReplicaOptions const& options = {},
                         history::HistorySink* watcher = nullptr);

}  // namespace gridcast::study
