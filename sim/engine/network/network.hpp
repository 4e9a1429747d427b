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

#include "sim/base/units.hpp"
#include "sim/engine/clock.hpp"
#include "sim/engine/network/shared_link.hpp"
#include "sim/engine/replica.hpp"

namespace gridcast::engine {

struct Link;  // tag of Id<Link>

struct LinkSpec {
  BytesPerSecond capacity;
  BytesPerSecond stream_limit;  // of each flow that crosses it
};

/// The shared links that a transfer crosses: none (nothing is shared), one, or up to three (origin
/// egress, site link and node link of a direct read).
struct Route {
  Id<Link> first = {};
  Id<Link> second = {};
  Id<Link> third = {};

  bool free() const { return !first.valid(); }
  bool coupled() const { return second.valid(); }
  void add(Id<Link> link) { (first.valid() ? second.valid() ? third : second : first) = link; }
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

/// Slots that are there, and which of them share a node: a site's are numbered from zero, those of
/// one node follow each other.
struct SiteSlots {
  std::uint32_t slots = 0;
  std::uint32_t slots_per_node = 1;
  std::uint32_t first_slot = 0, first_node = 0;  // of the pool's

  std::uint32_t nodes() const { return (slots + slots_per_node - 1) / slots_per_node; }
};

/// The links of a replica and the routes over them, from pool and parameters:
///   origin -- origin egress --> caches                         (cache fills)
///   cache -- site link, node link --> slots of a node          (OSDF)
///   origin -- origin egress, site link, node link --> slots    (plain HTTP)
///   access point -- its link, site link, node link --> slots   (HTCondor's own transfer)
/// A site's link stands for whatever its jobs share on the way from the cache, but for the node's own
/// link where that is known apart. A link without a known capacity is none.
struct Platform {
  std::vector<LinkSpec> links;
  Route origin_to_cache;
  std::vector<SiteSlots> sites;             // by site of the pool
  std::vector<std::vector<Route>> to_node;  // by site, node (one entry if nodes share nothing)
  bool maxmin = false;

  Route const& to_slot(std::size_t site, std::uint32_t slot) const {
    auto const& nodes = to_node[site];
    return nodes.size() == 1 ? nodes[0] : nodes[slot / sites[site].slots_per_node];
  }
  std::vector<Route> routes() const;  // all that the strategy can use
};

/// `slots`: of each site.
Platform make_platform(ReplicaInput const& in, std::vector<std::uint32_t> const& slots,
                       NetworkModel model);

}  // namespace gridcast::engine
