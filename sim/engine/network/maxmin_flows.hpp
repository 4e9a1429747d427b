// Transfers as SimGrid communications between two hosts, over the links of their route.
//
// Each route gets its own pair of hosts, joined by that route's links; so links are shared between
// routes but nothing else is. Works on SimGrid 3.32 (Debian 12): a Comm made by sendto_init()
// starts by itself once source, destination and size are set, so the size comes first and the
// destination last. 3.32 ignores Comm::set_rate() of such a Comm; so a link's stream limit is a
// second link, a fat pipe, which limits each flow but is not shared.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include <simgrid/s4u.hpp>

#include "sim/engine/network/network.hpp"

namespace gridcast::engine {

class MaxminFlows {
 public:
  MaxminFlows(std::vector<LinkSpec> const& links, std::vector<Route> const& routes);

  /// Whether this process has had its one.
  static bool set_up();

  std::uint32_t start(Route route, Bytes work, FlowEnd& end);
  Bytes stop(std::uint32_t flow);  // bytes left

 private:
  struct Running {
    simgrid::s4u::CommPtr comm;
    FlowEnd* end;
  };
  using Hosts = std::pair<simgrid::s4u::Host*, simgrid::s4u::Host*>;

  void ended(simgrid::s4u::Activity const& activity);
  /// Keeps an ended Comm until time has passed: SimGrid still writes to it.
  void retire(simgrid::s4u::CommPtr comm);
  /// The numbers of its links, in order.
  using Links = std::set<std::uint32_t>;
  static Links links_of(Route route);

  std::map<Links, Hosts> hosts_;
  std::map<simgrid::s4u::Activity const*, std::uint32_t> by_activity_;
  std::map<std::uint32_t, Running> running_;
  std::uint32_t next_ = 0;
  std::vector<simgrid::s4u::CommPtr> retired_;
  double retired_at_ = 0;
  std::shared_ptr<MaxminFlows*> alive_;  // SimGrid's signal outlives this object
};

/// The root zone that platforms are built in; sealed by the first run. SimGrid has one engine a
/// process, which is set up on first use: CM02 flows without
/// cross-traffic (the transfers of a campaign go one way), no latency terms.
simgrid::s4u::NetZone* grid_zone();

}  // namespace gridcast::engine
