#include "sim/optimize/response.hpp"

#include <algorithm>

namespace gridcast::optimize {
namespace {

constexpr std::size_t fewest_campaigns = 3;

/// Points of the board that differ from `at` in the setting alone, in the order of its values.
std::vector<Point> tried_values(SearchSpace const& space, Scoreboard const& board, Point const& at,
                                std::size_t setting) {
  std::vector<Point> points = board.ranked(fewest_campaigns);
  std::erase_if(points, [&](Point const& point) {
    Point alone = at;
    alone[setting] = point[setting];
    return point == at || point[setting] == at[setting] || space.canonical(alone) != point;
  });
  points.push_back(at);
  std::sort(points.begin(), points.end(),
            [&](Point const& a, Point const& b) { return a[setting] < b[setting]; });
  return points;
}

}  // namespace

Response response_of(StrategySpace const& space, Scoreboard const& board,
                     ComparePoints const& compare, Point const& at, std::size_t setting,
                     scenario::GoalKind goal) {
  Response response{space.knob(setting).key};
  for (Point const& point : tried_values(space.space(), board, at, setting)) {
    auto const pair = compare({at, point});
    std::size_t const campaigns = pair.samples.front().size();
    if (campaigns < fewest_campaigns) continue;
    response.values.push_back({value_text(space.knob(setting), point[setting]), point == at,
                               study::goal_gain(pair, 1, goal), campaigns});
  }
  if (response.values.size() < 2) response.values.clear();
  return response;
}

}  // namespace gridcast::optimize
