// A comparison in two rounds. After the first hundred replicas, a strategy that cannot win is
// stopped, and the other strategies have all replicas. The result does not depend on time or
// processes, only on the replicas of the first round.
//
// A strategy cannot win if its first goal is worse than that of the best strategy by more than the
// margin and four standard errors of the paired difference. All stopped strategies together are
// best under at most 5 % of the draws of the first round: the shares of draws hardly
// change. The goal's score of a replica is
//   successes  min(succeeded, W) / W       deadline  1 if W jobs had succeeded by then
//   makespan   1 / time, 0 for never       gpu-hours, cost  successes for each hour or money
// The baseline is never stopped.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/study/comparison.hpp"

namespace gridcast::study {

/// Replicas of the first round. A comparison of at most twice as many has one round.
inline constexpr std::size_t first_round = 100;

/// By strategy, from a complete comparison of the first round.
std::vector<bool> cannot_win(Comparison const& first);

/// run_strategies() in two rounds; it fills `stopped` as well.
void run_in_rounds(Comparison& comparison, std::vector<std::string> const& names,
                   StudyOptions const& options, StrategyTask const& task, Journal* journal);

/// Leaves out of whole samples the replicas that two rounds would not have simulated.
void stop_losers(Comparison& comparison, StudyOptions const& options);

}  // namespace gridcast::study
