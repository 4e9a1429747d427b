// How a study is cut into shards: as many replicas to each as take about ten minutes, by what one was
// measured to take.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/study/shards/frozen_study.hpp"
#include "sim/study/shards/shard.hpp"

namespace gridcast::study {

inline constexpr Seconds shard_takes = Seconds(600);

/// Plays replicas until they have computed for half a second (one under each strategy at least), and
/// plans by them; `size`: replicas a shard, where somebody says so. Nothing if it was interrupted.
std::optional<ShardPlan> plan_shards(ShardPlayer const& play, StudyOptions options,
                                     std::optional<std::uint32_t> size);

/// Replicas a shard, none much smaller than the others: between half and one and a half of `shard_takes`
/// where one replica takes no longer.
std::uint32_t shard_size_for(std::uint32_t replicas, Seconds replica_takes);

}  // namespace gridcast::study
