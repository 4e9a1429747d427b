// A stage of a search for the best change: campaigns with random numbers of their own, their scores
// by each weighting of the goals, and their comparison by the rule of `compare`.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/optimize/goal_score.hpp"
#include "sim/optimize/scoreboard.hpp"

namespace gridcast::optimize {

class Stage {
 public:
  /// `number` distinguishes the random numbers of the stages, and names the stage in the journal.
  /// The journal may be null. The campaigns count against the budget.
  Stage(scenario::Scenario const& scenario, StrategySpace const& space, Budget& budget,
        study::StudyOptions const& options, SearchJournal* journal, std::uint32_t number,
        GoalLevels const& levels);
  Stage(Stage const&) = delete;
  Stage& operator=(Stage const&) = delete;

  Scoreboard& board() { return board_; }
  Scoreboard const& board() const { return board_; }
  std::size_t failed() const { return score_.failed(); }

  /// The replicas that all points have; the first point is the baseline.
  study::Comparison compare(std::vector<Point> const& points) const;

  /// So many of the points: the best by each weighting of the goals in turn.
  std::vector<Point> best_of(std::vector<Point> const& points, std::size_t most);
  /// How far the first point is ahead of the second one, by the weighting under which it is most. 0
  /// without campaigns that both have.
  double lead(Point const& over, Point const& point);

 private:
  std::vector<Simulate> weightings(std::vector<double> const& weights);
  std::vector<double> simulated(std::vector<Trial> const& trials);

  GoalScore score_;
  Budget& budget_;
  study::Progress progress_;
  Scoreboard board_;
};

}  // namespace gridcast::optimize
