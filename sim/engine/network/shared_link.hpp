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
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/engine/clock.hpp"

namespace gridcast::engine {

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

  /// `limit` zero: the link's own.
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

}  // namespace gridcast::engine
