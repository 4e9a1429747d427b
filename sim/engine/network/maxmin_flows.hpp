// Transfers as SimGrid communications between two hosts of the platform, over the links of their
// route.
//
// In SimGrid 3.32 (Debian 12) a Comm from sendto_init() starts once its source, destination and
// size are set; so the size comes first and the destination last. It ignores Comm::set_rate() for
// such a Comm; so a stream limit is a link of its own (platform.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include <simgrid/s4u.hpp>

#include "sim/engine/network/network.hpp"

namespace gridcast::engine {

class MaxminFlows {
 public:
  /// Sets the bandwidths of the plan's links on the platform of this process.
  MaxminFlows(Clock& clock, NetworkPlan const& plan);

  std::uint32_t start(Route const& route, Bytes work, FlowEnd& end);
  Bytes stop(std::uint32_t flow);  // bytes left

 private:
  struct Running {
    simgrid::s4u::CommPtr comm;
    FlowEnd* end;
  };

  void ended(simgrid::s4u::Activity const& activity);
  /// Keeps an ended Comm until time has passed: SimGrid still writes to it.
  void retire(simgrid::s4u::CommPtr comm);

  Clock& clock_;
  Platform& platform_;
  std::map<simgrid::s4u::Activity const*, std::uint32_t> by_activity_;
  std::map<std::uint32_t, Running> running_;
  std::uint32_t next_ = 0;
  std::vector<simgrid::s4u::CommPtr> retired_;
  double retired_at_ = 0;
  std::shared_ptr<MaxminFlows*> alive_;  // for SimGrid's signal, which outlives this object
};

}  // namespace gridcast::engine
