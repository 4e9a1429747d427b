// The search for the best point of a space. An anytime algorithm: whenever its budget ends, the
// best point so far is the result.
//
//   1. Each setting is changed alone, to values over its whole range, and the best is selected
//      (select() below). The changes that help are then combined: two, three, ... of them at once,
//      and pairs. Points that are drawn from the whole space compete with them.
//   2. The points that are best by the model of additive effects (additive_model.hpp) are crossed,
//      and some settings of each child are drawn anew. The model chooses among many children. The
//      best points have more replicas each time, until no child is better.
//   3. From the best point, each setting goes one step up and down, and is switched. The step is
//      halved when nothing is better.
//   4. At the smallest step, the real numbers are refined together.
//   5. Points that are drawn around the best one compete with it, with more replicas each time.
//      From a better one the search goes on with 3. It ends after some draws in vain.
//
// No step depends on the budget. A search that ends after n campaigns has thus gone the same way as
// each longer one.
//
// Where the board has several weightings of the goals, each has a best point of its own, and all
// share the scores. The first one has each turn. Another one has a turn while its best point is
// materially better, by its scores, than that of the first.
//
// Its result is a function of the seed if the budget is a number of campaigns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/optimize/optimum.hpp"
#include "sim/optimize/scoreboard.hpp"
#include "sim/study/shards/shard.hpp"

namespace gridcast::optimize {

struct SearchOptions {
  std::uint64_t seed = 1;
  double indifference = 0.005;  // of the mean score
};

struct SearchResult {
  Point best;
  /// The best points by each weighting in turn, and others that come close.
  std::vector<Point> finalists = {};
  bool converged = false;  // else the budget ended
};

SearchResult search(SearchSpace const& space, Scoreboard& board, SearchOptions const& options);

/// The first point of each order, then the second ones, and so on: each once, and at most so many.
std::vector<Point> taken_in_turn(std::vector<std::vector<Point>> const& orders, std::size_t most);

// Sequential selection of the best of several points with common random numbers. All points have a
// few replicas. Then, block by block, a point is dropped if its paired difference from the leader
// is below zero with confidence, and the points that are left have more replicas. The selection
// ends when one point is left, when all that are left are within the indifference of the leader, or
// when each has the largest number of replicas.
//
// A difference of n replicas is below zero if mean + t s / sqrt(n) < 0. t is the quantile of n - 1
// degrees of freedom for the error probability alpha / (points x looks). At most a share alpha of
// the selections drops the best point (Maron & Moore 1997 and Birattari 2002, races; Bonferroni).
struct SelectionOptions {
  std::size_t first = 10, block = 10, most = 200;  // replicas of a point
  double indifference = 0.005;                     // of the mean score
  double alpha = 0.05;
};

/// The best of the points; the first one unless another is better by more than the indifference.
/// If the budget ends, the best by the replicas so far. `points` is not empty.
Point select(Scoreboard& board, std::vector<Point> points, SelectionOptions const& options);

// Independent searches as the shards of a study (sim/study/shards): search k of a study has random
// numbers of its own, and its result is a record of its best points.
//
//   for each of `points_kept` points, the best first: its values (NaN: off)
//
// A search with fewer points repeats its best one.

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
