// The score of a strategy in a replica: a number for the goal of the owner and the goals that break
// its ties (sim/study/choice.hpp), so that a search has one function to improve.
//
//   score = v(s1 / L1) + w v(s2 / L2) + w^2 v(s3 / L3) + ...
//
// where s is the goal's score of a replica (study/comparison.hpp: more is better) and L its mean
// over the replicas in which the current strategy reaches the goal: a goal that it seldom reaches
// must not outweigh the goals before it. A replica in which too few jobs succeed has no score for
// GPU hours and cost. v(r) = r for a share of jobs or campaigns. The other goals are rates
// (campaigns a second, successes for the money): v(r) = ln(1 + 10 r), so that equal factors count
// alike. Else the shortest and cheapest of the campaigns outweigh all others.
//
// With w = 1/2, a gain of 1 % of the first goal weighs as much as 2 % of the second, so the search
// finds strategies that serve all goals. A time or a price has a second weighting, w = 1/16, which
// finds strategies that serve this goal best. The rule of `compare` itself chooses between both. A
// share of jobs or campaigns has none: close to its limit of 1, the search would follow the noise.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sim/optimize/knob.hpp"
#include "sim/optimize/scoreboard.hpp"
#include "sim/study/comparison.hpp"
#include "sim/study/journal.hpp"

namespace gridcast::optimize {

// The journal of a search: the record of each campaign that it simulated. A search that was cut off
// simulates only what is missing when it is given the same folder again. With a number of campaigns
// as budget, its answer has the same bytes as that of a search that was not cut off.
//
// The file is a journal of a study (sim/study/journal.hpp). Each entry has a number of its own, and
// its numbers are
//
//   stage, replica, the point's values (NaN: off), the record

/// Records by point and replica.
using KnownRecords = std::map<Point, std::map<std::uint32_t, study::SharedRecord>>;

class SearchJournal {
 public:
  /// `settings`: of a point; `columns`: of a record. Throws as study::Journal does.
  SearchJournal(std::filesystem::path const& folder, std::string const& fingerprint,
                std::size_t settings, std::size_t columns);

  /// The entries at its opening. Stages have random numbers of their own.
  KnownRecords const& known(std::uint32_t stage) const;
  void add(std::uint32_t stage, Trial const& trial, study::Record const& record);

 private:
  study::Journal journal_;
  std::size_t settings_;
  std::map<std::uint32_t, KnownRecords> known_;
  std::uint32_t next_ = 0;
};

/// Means of the current strategy's campaigns.
struct UsualCampaign {
  double succeeded = 0, spent = 0;
};

/// Under the current strategy, by goal; empty before its first campaigns.
struct GoalLevels {
  std::vector<double> of_goals = {};
  std::vector<UsualCampaign> usual = {};
};

/// Simulates points of a space in child processes, and keeps the records.
class GoalScore {
 public:
  /// `options.seed` distinguishes the random numbers; `options.progress` counts campaigns. The
  /// journal may be null; campaigns that its stage contains are not simulated again. Without
  /// `levels`, those of the first campaigns count.
  GoalScore(scenario::Scenario const& scenario, StrategySpace const& space,
            study::StudyOptions const& options, SearchJournal* journal = nullptr,
            std::uint32_t stage = 0, GoalLevels levels = {});

  /// Simulates the trials and the current strategy in the same replicas; the scores by the first
  /// weighting. Empty if interrupted.
  std::vector<double> operator()(std::vector<Trial> const& trials);
  /// The scores of trials that were simulated.
  std::vector<double> scores(std::vector<Trial> const& trials, double next_weight) const;

  /// A comparison of points by the replicas so far; the first point is the baseline.
  study::Comparison comparison(std::vector<Point> const& points,
                               std::vector<std::string> const& names) const;
  /// From the campaigns of the current strategy in these replicas.
  GoalLevels const& set_levels(std::vector<std::uint32_t> const& replicas);
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

  scenario::Scenario const& scenario_;
  StrategySpace const& space_;
  study::StudyOptions options_;
  study::Comparison empty_;
  std::vector<scenario::GoalKind> goals_;
  KnownRecords records_;
  SearchJournal* journal_;
  std::uint32_t stage_;
  GoalLevels levels_;
  std::size_t failed_ = 0;
  std::string first_failure_;
};

// A stage of a search for the best change: campaigns with random numbers of their own, their scores
// by each weighting of the goals, and their comparison by the rule of `compare`.

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

 private:
  std::vector<Simulate> weightings(std::vector<double> const& weights);
  std::vector<double> simulated(std::vector<Trial> const& trials);

  GoalScore score_;
  Budget& budget_;
  study::Progress progress_;
  Scoreboard board_;
};

}  // namespace gridcast::optimize
