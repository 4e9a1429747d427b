// The network between origin, caches, access point and sites: links, and transfers over routes.
//
// Two models (docs/model.md, "Network models"). `fast`: a transfer loads one link, which a virtual
// clock shares (shared_link.hpp). On a route over several links it is the one that would give the
// transfer least at its start: exact for one link, an approximation for two. `maxmin`: SimGrid's
// fluid flows over all links of the route (CM02, no cross-traffic, no latency), exact for several
// links, and the oracle for tests of `fast` (maxmin_flows.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/engine/clock.hpp"
#include "sim/engine/network/platform.hpp"
#include "sim/engine/network/shared_link.hpp"

namespace gridcast::engine {

struct Link;  // tag of Id<Link>

struct LinkSpec {
  BytesPerSecond capacity;
  BytesPerSecond stream_limit;  // of each flow that crosses it
  PlatformPlace place = {};     // of the link on the platform
};

/// The shared links that a transfer crosses: none (nothing is shared), one, or up to three (origin
/// egress, site link and node link of a direct read); and its ends on the platform.
struct Route {
  Id<Link> first = {};
  Id<Link> second = {};
  Id<Link> third = {};
  PlatformPlace from = {}, to = {};

  bool free() const { return !first.valid(); }
  bool coupled() const { return second.valid(); }
  void add(Id<Link> link) { (first.valid() ? second.valid() ? third : second : first) = link; }
};

struct NetworkPlan {
  std::vector<LinkSpec> links = {};
  PlatformPlan platform = {};  // for max-min flows
  bool maxmin = false;
};

class Network;
class MaxminFlows;

/// `co_await network.transfer(...)`: the bytes that arrived; fewer than `bytes` if interrupted.
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
  Network(Clock& clock, NetworkPlan const& plan);
  ~Network();

  /// `limit`: of this flow, instead of the link's per-stream one; only where limits_flows().
  Transfer transfer(Route route, Bytes work, Interrupt* interrupt = nullptr,
                    BytesPerSecond limit = {}) {
    ++transfers_;
    return {*this, route, work, interrupt, limit};
  }
  /// Communications of SimGrid 3.32 ignore a rate of their own.
  bool limits_flows() const { return !maxmin_; }
  std::uint64_t transfers() const { return transfers_; }
  /// Number of timers of links that share by virtual time.
  std::uint64_t link_timers() const;

 private:
  friend class Transfer;
  SharedLink& tightest(Route route) const;

  std::vector<std::unique_ptr<SharedLink>> fast_;
  std::unique_ptr<MaxminFlows> maxmin_;
  std::uint64_t transfers_ = 0;
};

}  // namespace gridcast::engine
