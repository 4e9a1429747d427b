// gridcast's timers and shared links as a SimGrid model.
//
// SimGrid's main loop queries each of its models for the seconds to its next event, advances the
// clock by the shortest of them, and lets each model catch up. This model answers for the replica
// that runs: its timers (clock.hpp), among them the ends of flows that a link shares by virtual
// time (network/shared_link.hpp). SimGrid's own CPU, disk and network models run beside it.
#pragma once

#include <simgrid/kernel/resource/Model.hpp>

#include "sim/engine/clock.hpp"

namespace gridcast::engine {

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

}  // namespace gridcast::engine
