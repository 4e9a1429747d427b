// SimGrid's engine; a process has one: its main loop runs every replica (grid_model.hpp) on the
// platform of the pool (network/platform.hpp).
//
// The platform is built for the first replica and reused while it serves the next ones. A pool with
// other zones, or a draw with more nodes than were built, gets a new engine.
#pragma once

#include <memory>
#include <optional>

#include <simgrid/s4u.hpp>

#include "sim/engine/clock.hpp"
#include "sim/engine/grid_model.hpp"
#include "sim/engine/network/platform.hpp"

namespace gridcast::engine {

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
