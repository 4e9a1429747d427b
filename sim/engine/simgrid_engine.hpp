// SimGrid's engine; a process has one: its main loop runs every replica on the
// platform of the pool (network/platform.hpp).
//
// The platform is built for the first replica and reused while it serves the next ones. A pool with
// other zones, or a draw with more nodes than were built, gets a new engine.
#pragma once

#include <memory>
#include <optional>

#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u.hpp>

#include "sim/engine/clock.hpp"
#include "sim/engine/network/platform.hpp"

namespace gridcast::engine {

/// gridcast's timers and shared links as a SimGrid model. SimGrid's main loop queries each of its
/// models for the seconds to its next event, advances the clock by the shortest of them, and lets
/// each model catch up. This model answers for the replica that runs: its timers (clock.hpp), among
/// them the ends of flows that a link shares by virtual time (network/network.hpp). SimGrid's
/// own CPU, disk and network models run beside it.
class GridModel final : public simgrid::kernel::resource::Model {
 public:
  GridModel() : Model("grid") {}

  /// The replica that runs; null between two of them.
  void drive(Clock* clock) { clock_ = clock; }

  double next_occurring_event(double) override { return clock_ ? clock_->until_next() : -1; }
  void update_actions_state(double, double delta) override {
    if (clock_) clock_->advance(delta);
  }

 private:
  Clock* clock_ = nullptr;
};

class SimgridEngine {
 public:
  /// SimGrid keeps its engine in a global variable, and so this is one.
  static SimgridEngine& of_process();

  /// A platform that serves the plan. Not while a replica runs.
  Platform& platform(PlatformPlan const& plan);
  /// Runs SimGrid's main loop for the clock of one replica.
  void run(Clock& clock);

 private:
  SimgridEngine() = default;
  void build(PlatformPlan plan);

  bool configured_ = false;
  simgrid::s4u::Engine* engine_ = nullptr;
  std::shared_ptr<GridModel> model_;
  std::optional<Platform> platform_;
};

}  // namespace gridcast::engine
