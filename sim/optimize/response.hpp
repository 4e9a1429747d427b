// The response of the deciding figure to one setting: the figure at several of its values, with all
// other settings at those of one point.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "sim/optimize/scoreboard.hpp"
#include "sim/optimize/strategy_space.hpp"
#include "sim/study/choice.hpp"

namespace gridcast::optimize {

struct ResponseValue {
  std::string value;
  bool here = false;          // that of the point
  study::GoalGain gain = {};  // from the point's value (`before`) to this one (`after`)
  std::size_t campaigns = 0;  // that both have
};

struct Response {
  std::string key;
  bool recommended = false;  // around the recommended strategy; else around the current one
  std::vector<ResponseValue> values = {};  // in the order of the setting
};

/// The comparison of points by the campaigns that all of them have.
using ComparePoints = std::function<study::Comparison(std::vector<Point> const&)>;

/// The response at the points that the board has tried and that differ from `at` in this setting
/// alone (and in settings that then apply or no longer do). Empty without two values.
Response response_of(StrategySpace const& space, Scoreboard const& board,
                     ComparePoints const& compare, Point const& at, std::size_t setting,
                     scenario::GoalKind goal);

}  // namespace gridcast::optimize
