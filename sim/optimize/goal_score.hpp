// The score of a strategy in a replica: a number for the goal of the owner and the goals that break
// its ties (sim/study/choice.hpp), so that a search has one function to improve.
//
//   score = s1 / L1 + (1/2) s2 / L2 + (1/4) s3 / L3 + ...
//
// where s is the goal's score of a replica (rounds.hpp: more is better) and L its mean over the
// replicas in which the current strategy reaches the goal: a goal that it seldom reaches must not
// outweigh the goals before it. A gain of 1 % of the first goal thus weighs as much as 2 % of the
// second. The choice among the strategies that the search finds follows the rule of `compare`
// itself. A replica in which too few jobs succeed has no score for GPU hours and cost.
#pragma once

#include <map>
#include <vector>

#include "sim/optimize/scoreboard.hpp"
#include "sim/optimize/search_journal.hpp"
#include "sim/optimize/strategy_space.hpp"
#include "sim/study/comparison.hpp"

namespace gridcast::optimize {

/// Means of the current strategy's campaigns.
struct UsualCampaign {
  double succeeded = 0, spent = 0;
};

/// Simulates points of a space in child processes, and keeps the records.
class GoalScore {
 public:
  /// `options.seed` distinguishes the random numbers; `options.progress` counts campaigns. The
  /// journal may be null; campaigns that its stage contains are not simulated again.
  GoalScore(scenario::Scenario const& scenario, StrategySpace const& space,
            study::StudyOptions const& options, SearchJournal* journal = nullptr,
            std::uint32_t stage = 0);

  /// Simulates the trials and the current strategy in the same replicas. Empty if interrupted.
  std::vector<double> operator()(std::vector<Trial> const& trials);

  /// A comparison of points by the replicas so far; the first point is the baseline.
  study::Comparison comparison(std::vector<Point> const& points,
                               std::vector<std::string> const& names) const;
  /// Campaigns that failed so far.
  std::size_t failed() const { return failed_; }
  /// The error of the first failed campaign; empty if none failed.
  std::string const& first_failure() const { return first_failure_; }

 private:
  bool simulate(std::vector<Trial> const& trials);
  std::vector<Trial> missing(std::vector<Trial> const& trials) const;
  /// The current strategy and the point in the replicas that both have.
  study::Comparison with_current(Point const& point,
                                 std::vector<std::uint32_t> const& replicas) const;
  std::vector<std::vector<double>> goal_scores(Point const& point,
                                               std::vector<std::uint32_t> const& replicas) const;
  void set_levels(std::vector<std::uint32_t> const& replicas);

  scenario::Scenario const& scenario_;
  StrategySpace const& space_;
  study::StudyOptions options_;
  study::Comparison empty_;
  std::vector<scenario::GoalKind> goals_;
  KnownRecords records_;
  SearchJournal* journal_;
  std::uint32_t stage_;
  std::vector<double> levels_;        // by goal; empty before the first trials
  std::vector<UsualCampaign> usual_;  // by goal
  std::size_t failed_ = 0;
  std::string first_failure_;
};

}  // namespace gridcast::optimize
