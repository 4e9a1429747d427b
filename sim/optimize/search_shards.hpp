// Independent searches as the shards of a study (sim/study/shards): search k of a study has random
// numbers of its own, and its result is a record of its best points.
//
//   for each of `points_kept` points, the best first: its values (NaN: off)
//
// A search with fewer points repeats its best one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/optimize/optimum.hpp"
#include "sim/study/shards/shard.hpp"

namespace gridcast::optimize {

inline constexpr std::size_t points_kept = 5;

/// "1:transfer.stall_timeout".
std::vector<std::string> columns_of_searches(scenario::Scenario const& scenario,
                                             scenario::Strategy const& current, Party as);

/// Makes the searches of a shard. Nothing if they were interrupted. `options.study.progress` counts
/// searches.
std::optional<study::ShardResult> make_searches(study::Shard const& shard,
                                                scenario::Scenario const& scenario,
                                                scenario::Strategy const& current,
                                                OptimizeOptions const& options);

/// All different points, the best ones of all searches first.
std::vector<Point> points_of(std::vector<study::ShardResult> const& results);

}  // namespace gridcast::optimize
