// The network between origin, caches, access point and sites: links, and transfers over routes.
//
// Two models (docs/model.md, "Network models"). `fast`: a transfer loads one link, which a virtual
// clock shares (SharedLink). On a route over several links it is the one that would give the
// transfer least at its start: exact for one link, an approximation for two. `maxmin`: SimGrid's
// fluid flows over all links of the route (CM02, no cross-traffic, no latency), exact for several
// links, and the oracle for tests of `fast` (MaxminFlows).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/engine/clock.hpp"
#include "sim/engine/network/platform.hpp"

namespace gridcast::engine {

// A link that its flows share by virtual time.
//
// The flows of a link share it equally, each up to a limit of its own or the link's per-stream one:
// the rate of flow i, in bytes a second, is
//   r_i = min(limit_i, s),   s such that the rates of all add up to the capacity (max-min).
// With one limit for all n flows that is r = min(limit, capacity / n). This is max-min fairness if
// the link is every flow's only shared bottleneck. It needs no solver: flows of the same limit have
// the same rate at all times, so each such group has a virtual clock v that advances at that rate,
// and a flow of w bytes that starts at v0 ends when v = v0 + w (processor sharing; Zhang, "Virtual
// Clock", SIGCOMM'90 uses the same idea for scheduling). A start or an end costs
// O(limits + log n). Ends fall on one SimGrid timer a link.

/// Receives the call of a link when a flow has sent all its bytes.
class FlowEnd {
 public:
  virtual void flow_ended() = 0;

 protected:
  ~FlowEnd() = default;
};

class SharedLink final : private Timer {
 public:
  struct End {
    double at = 0;              // virtual time of its group
    std::uint64_t started = 0;  // flows that end together do so in the order of their starts
    FlowEnd* whom = nullptr;

    bool operator<(End const& other) const {
      return at != other.at ? at < other.at : started < other.started;
    }
  };
  struct Flow {
    BytesPerSecond limit;
    End end;
  };

  SharedLink(Clock& clock, BytesPerSecond capacity, BytesPerSecond stream_limit)
      : clock_(clock), capacity_(capacity), stream_limit_(stream_limit) {}

  /// `limit` zero: the link's alone.
  Flow start(Bytes work, FlowEnd& end, BytesPerSecond limit = {});
  /// Ends a flow early; returns the bytes that it had left.
  Bytes stop(Flow const& flow);
  /// The rate of one more flow now if all had the link's own limit.
  BytesPerSecond next_rate() const { return std::min(stream_limit_, next_share()); }
  /// The same if none had a limit.
  BytesPerSecond next_share() const;
  /// How many it has set.
  std::uint64_t timers() const { return timers_; }

 private:
  /// The flows of one limit.
  struct Group {
    BytesPerSecond limit;
    BytesPerSecond rate;
    double virtual_bytes = 0;
    std::set<End> flows;

    Bytes first_left() const;
  };

  Group& group(BytesPerSecond limit);
  void drop_empty_groups();
  void share();       // sets the groups' rates
  void advance();     // brings the virtual clocks to now
  void reschedule();  // shares, and sets the timer to the next end
  void fire() override;

  Clock& clock_;
  BytesPerSecond capacity_, stream_limit_;
  Seconds updated_;
  bool set_ = false;             // its timer
  std::size_t next_ = 0;         // the group whose flow ends next
  std::vector<Group> groups_;    // by limit; without empty ones: their clocks start anew
  std::vector<FlowEnd*> ended_;  // empty: room for those that end together
  std::uint64_t timers_ = 0, started_ = 0;
};

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
  simgrid::s4u::Activity const* maxmin_flow_ = nullptr;
};

class Network {
 public:
  Network(Clock& clock, NetworkPlan const& plan);
  ~Network();

  /// `limit`: of this flow, beside the link's per-stream one; zero: none.
  Transfer transfer(Route route, Bytes work, Interrupt* interrupt = nullptr,
                    BytesPerSecond limit = {}) {
    ++transfers_;
    return {*this, route, work, interrupt, limit};
  }
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
