// The scores of points in replicas: replica k has the same random numbers at each point, so scores
// compare pair by pair. A score that is known is never simulated again.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/optimize/budget.hpp"
#include "sim/optimize/search_space.hpp"

namespace gridcast::optimize {

struct Trial {
  Point point;
  std::uint32_t replica = 0;
};

/// The score of each trial: more is better, NaN if the replica failed. Empty: it was interrupted.
using Simulate = std::function<std::vector<double>(std::vector<Trial> const&)>;

class Scoreboard {
 public:
  Scoreboard(Simulate simulate, Budget& budget) : simulate_(std::move(simulate)), budget_(budget) {}

  /// Simulates until each point has so many replicas. False if the budget ends before.
  bool extend(std::vector<Point> const& points, std::size_t replicas);

  std::vector<double> const& scores(Point const& point) const;
  /// NaN without scores.
  double mean_score(Point const& point) const;
  /// x - y in the replicas that both have.
  std::vector<double> differences(Point const& x, Point const& y) const;
  /// All points that have a replica, the best means among those with at least `replicas` first.
  std::vector<Point> ranked(std::size_t replicas) const;
  std::size_t points() const { return scores_.size(); }
  Budget const& budget() const { return budget_; }

 private:
  Simulate simulate_;
  Budget& budget_;
  std::map<Point, std::vector<double>> scores_;
};

}  // namespace gridcast::optimize
