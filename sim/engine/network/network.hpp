// The network between origin, caches, access point and sites, as links and the routes over them.
//
// Two models (docs/model.md, "Network models"). `fast`: a transfer loads one link, which a virtual
// clock shares (SharedLink); of a route over two, the one that would give it less at its start, so
// it is exact for one link and an approximation for two. `maxmin`: SimGrid's fluid flows over all
// links of the route (CM02, no cross-traffic, no latency), exact for two, and the oracle that
// `fast` is tested against.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/base/id.hpp"
#include "sim/engine/clock.hpp"
#include "sim/engine/network/shared_link.hpp"
#include "sim/engine/replica.hpp"

namespace gridcast::engine {

struct Link;  // tag of Id<Link>

struct LinkSpec {
  BytesPerSecond capacity;
  BytesPerSecond stream_limit;  // of each flow that crosses it
};

/// One shared link, or two in a row (origin egress and site link of a direct read).
struct Route {
  Id<Link> first;
  Id<Link> second;  // may be none
};

class Network;
class MaxminFlows;

/// `co_await network.transfer(...)`: the bytes that arrived; fewer than asked if interrupted.
class [[nodiscard]] Transfer final : public Waiting, public FlowEnd {
 public:
  Transfer(Network& network, Route route, Bytes work, Interrupt* interrupt, BytesPerSecond limit)
      : network_(network), route_(route), work_(work), interrupt_(interrupt), limit_(limit) {}

  bool await_ready() { return interrupted_ = interrupt_ && interrupt_->raised(); }
  void await_suspend(std::coroutine_handle<> waiter);
  Bytes await_resume() const { return interrupted_ ? work_ - left_ : work_; }
  void cancel() override;
  void flow_ended() override;

 private:
  Network& network_;
  Route route_;
  Bytes work_;
  Bytes left_;
  Interrupt* interrupt_;
  BytesPerSecond limit_;
  SharedLink* link_ = nullptr;
  SharedLink::Flow flow_{};
  std::uint32_t maxmin_flow_ = 0;
};

class Network {
 public:
  /// `routes`: all that transfers will use. `maxmin` can be chosen once a process: SimGrid
  /// platforms cannot be taken down.
  Network(Clock& clock, std::vector<LinkSpec> const& links, std::vector<Route> const& routes,
          bool maxmin);
  ~Network();

  /// `limit`: of this flow, instead of the link's per-stream one; only where limits_flows().
  Transfer transfer(Route route, Bytes work, Interrupt* interrupt = nullptr,
                    BytesPerSecond limit = {}) {
    ++transfers_;
    return {*this, route, work, interrupt, limit};
  }
  /// SimGrid 3.32 has no limit for a single flow.
  bool limits_flows() const { return !maxmin_; }
  std::uint64_t transfers() const { return transfers_; }
  /// That the links set to share by virtual time.
  std::uint64_t link_timers() const;

 private:
  friend class Transfer;
  SharedLink& tightest(Route route) const;

  std::vector<std::unique_ptr<SharedLink>> fast_;
  std::unique_ptr<MaxminFlows> maxmin_;
  std::uint64_t transfers_ = 0;
};

/// The links of a replica and the routes over them, from pool and parameters:
///   origin -- origin egress --> caches            (cache fills)
///   cache -- site link --> slots of the site      (OSDF)
///   origin -- origin egress, site link --> slots  (plain HTTP: two shared links)
///   access point -- its link, site link --> slots (HTCondor's own transfer: two shared links)
/// A site's link stands for whatever its jobs share on the way from the cache: the cache's own NIC,
/// the uplink, the node's. The table cannot tell these apart; its capacity is fitted.
struct Platform {
  std::vector<LinkSpec> links;
  std::vector<Route> routes;  // all that the strategy can use
  Route origin_to_cache;
  std::vector<Route> to_slot;  // by site: the route of the strategy's protocol
  bool maxmin = false;
};

Platform make_platform(ReplicaInput const& in, NetworkModel model);

}  // namespace gridcast::engine
