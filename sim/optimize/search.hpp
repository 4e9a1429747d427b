// The search for the best point of a space. An anytime algorithm: whenever its budget ends, the
// best point so far is the result.
//
//   1. Each setting is changed alone, to values over its whole range, and the best is selected
//      (selection.hpp). The changes that help are then combined: two, three, ... of them at once,
//      and pairs.
//   2. From the best point, each setting goes one step up and down, and is switched. The step is
//      halved when nothing is better.
//   3. At the smallest step, the real numbers are refined together.
//   4. Points that are drawn around the best one compete with it, with more replicas each time.
//      From a better one the search goes on with 2. It ends after some draws in vain.
//
// Its result is a function of the seed if the budget is a number of campaigns.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/optimize/scoreboard.hpp"

namespace gridcast::optimize {

struct SearchOptions {
  std::uint64_t seed = 1;
  double indifference = 0.005;  // of the mean score
};

struct SearchResult {
  Point best;
  /// The best point and others that come close, the best first.
  std::vector<Point> finalists = {};
  bool converged = false;  // else the budget ended
};

SearchResult search(SearchSpace const& space, Scoreboard& board, SearchOptions const& options);

}  // namespace gridcast::optimize
