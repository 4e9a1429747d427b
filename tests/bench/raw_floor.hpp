// The least that a simulation of a campaign can cost: its transfers and its sleeps as bare
// coroutines on SimGrid's timers, links shared by virtual time, and nothing around them: no jobs,
// no randomness, no decisions, no record.
#pragma once

#include <cstdint>

#include "sim/engine/replica.hpp"

namespace gridcast::bench {

struct FloorLoad {
  int slots = 0;  // coroutines that share the work
  std::uint64_t transfers = 0, sleeps = 0;
};

struct FloorCount {
  std::uint64_t timers = 0;  // all that were set, those of the links too
};

/// The demands of the replica on the clock: its transfers, and as sleeps all timers but its links'.
/// The floor's links set their own.
inline FloorLoad same_work(engine::ReplicaAudit const& audit, int slots) {
  return {slots, audit.transfers, audit.timers - audit.link_timers};
}

FloorCount run_floor(FloorLoad load);

}  // namespace gridcast::bench
