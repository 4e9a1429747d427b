// The simulations of a fit, in rounds: what a round plays follows from what the rounds before it gave, and
// from nothing else. So a round can be played here, or cut into shards that others play.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/study/replica_pool.hpp"

namespace gridcast::calibration {

struct Round {
  std::uint32_t tasks = 0;
  double campaigns = 1;                               // that a task simulates, or about so many
  std::function<study::Record(std::uint32_t)> task;   // by its number, from 0
  std::function<std::size_t(std::uint32_t)> numbers;  // that a task's record has
};

/// Whether the records, by task, are of lengths that the round's tasks give.
bool are_of(Round const& round, std::vector<study::Record> const& records);

/// Thrown when Ctrl-C ends a fit: nothing is written.
struct CalibrationInterrupted {};

/// The records of a round, by task: all of them. CalibrationInterrupted after Ctrl-C, ResourceError of a
/// machine that gives no process.
using PlayRound = std::function<std::vector<study::Record>(Round const&)>;

/// Plays rounds in child processes, of which each plays one task after the other.
PlayRound played_here(unsigned processes, study::Progress progress = {});

}  // namespace gridcast::calibration
