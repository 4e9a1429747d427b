#include "sim/optimize/selection.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/error.hpp"

namespace gridcast::optimize {
namespace {

/// The point with the best mean; NaN is worse than any.
std::size_t leader_of(Scoreboard const& board, std::vector<Point> const& points) {
  std::size_t best = 0;
  double score = board.mean_score(points.front());
  for (std::size_t i = 1; i < points.size(); ++i) {
    double const own = board.mean_score(points[i]);
    if (std::isnan(own) || own <= score) continue;
    best = i;
    score = own;
  }
  return best;
}

/// Drops the points that are worse than the leader; whether one of the others may still be better
/// or worse than it by more than the indifference.
bool drop_losers(Scoreboard const& board, std::vector<Point>& left, SelectionOptions const& options,
                 double error) {
  Point const leader = left[leader_of(board, left)];
  bool open = false;
  std::erase_if(left, [&](Point const& point) {
    if (point == leader) return false;
    auto const behind = board.differences(leader, point);
    if (behind.size() < 2) return false;
    auto const interval = mean_interval(behind, 1 - 2 * error);
    if (interval.low > 0) return true;
    open = open || interval.high > options.indifference;
    return false;
  });
  return open && left.size() > 1;
}

}  // namespace

Point select(Scoreboard& board, std::vector<Point> points, SelectionOptions const& options) {
  check(!points.empty(), "a selection has a point to select");
  Point const first = points.front();
  std::size_t const looks = (options.most - options.first) / options.block + 1;
  double const error = options.alpha / static_cast<double>(points.size() * looks);
  std::vector<Point> left = points;
  std::size_t replicas = options.first;
  while (board.extend(left, replicas) && drop_losers(board, left, options, error)) {
    if (replicas >= options.most) break;
    replicas = std::min(options.most, replicas + options.block);
  }
  // Points without a replica are not known.
  std::erase_if(left, [&](Point const& point) { return board.scores(point).empty(); });
  if (left.empty()) return first;
  Point best = left[leader_of(board, left)];
  auto const ahead = board.differences(best, first);
  bool const better = ahead.empty() || mean(ahead) > options.indifference;
  return better ? best : first;
}

}  // namespace gridcast::optimize
