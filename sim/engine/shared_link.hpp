// A link whose flows share it equally, each up to a per-stream limit: the rate of each of n flows
// is
//   r(n) = min(stream_limit, capacity / n).
// This is max-min fairness where the link is every flow's only shared bottleneck. It needs no
// solver: with a virtual clock v that advances at rate r(n), a flow of w bytes that starts at v0
// ends when v = v0 + w (processor sharing; Zhang, "Virtual Clock", SIGCOMM'90 uses the same idea
// for scheduling). A start or an end costs O(log n). Ends fall on one SimGrid timer a link.
#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "sim/engine/clock.hpp"

namespace gridcast {

/// What a link tells when a flow has sent all its bytes.
class FlowEnd {
 public:
  virtual void flow_ended() = 0;

 protected:
  ~FlowEnd() = default;
};

class SharedLink {
 public:
  using Flow = std::pair<double, FlowEnd*>;  // virtual time of the end, whom to tell

  SharedLink(Clock& clock, BytesPerSecond capacity, BytesPerSecond stream_limit)
      : clock_(clock), capacity_(capacity), stream_limit_(stream_limit) {}

  Flow start(Bytes work, FlowEnd& end);
  /// Ends a flow early; returns the bytes that it had left.
  Bytes stop(Flow const& flow);
  /// What one more flow would get now.
  BytesPerSecond next_rate() const { return rate(flows_.size() + 1); }
  /// How many it has set.
  std::uint64_t timers() const { return timers_; }

 private:
  BytesPerSecond rate(std::size_t flows) const;
  void advance();     // brings the virtual clock to now
  void reschedule();  // sets the timer to the next end
  void fire();

  Clock& clock_;
  BytesPerSecond capacity_, stream_limit_;
  double virtual_bytes_ = 0;
  Seconds updated_;
  Timer* timer_ = nullptr;
  std::set<Flow> flows_;
  std::uint64_t timers_ = 0;
};

}  // namespace gridcast
