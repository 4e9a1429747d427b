// The choice between strategies for the owner's goal.
//
// Each goal has a figure. The figures of a strategy in some replicas are
//   successes   mean of min(succeeded, W) / W, with the wanted number of jobs W
//   deadline    share of the replicas in which W jobs had succeeded by then
//   makespan    median of the time until W jobs had succeeded; infinite ("never") if they never had
//   gpu_hours   sum of GPU hours / sum of successes
//   cost        sum of money / sum of successes; without prices as gpu_hours
// The goals have an order. Among the strategies that are left, those within a margin of the best
// figure of a goal go on to the next goal. The strategies that are left after the last goal are
// the best ones.
//
// Evidence for a choice are the draws of the calibration, not the replicas. The rule is applied to
// the replicas of each draw, and a strategy has the share of draws in which it is among the best.
// A choice is decided if the best strategy of all replicas has at least 90 % of the draws, of the
// posterior of the rival explanations, and of 100 resamples of the replicas. If several strategies
// are left, there is no material difference, unless draws or explanations disagree about them:
// the difference of the first figure then varies between draws by more than the margin (one-way
// analysis of variance, sample.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/comparison.hpp"

namespace gridcast::study {

/// The share of draws, posterior and resamples that a decision needs.
inline constexpr double enough_to_decide = 0.9;
/// Fewer replicas decide nothing.
inline constexpr std::size_t fewest_to_decide = 10;

enum class ChoiceState { no_success, decided, no_material_difference, undecided };
inline constexpr std::array<std::string_view, 4> choice_names = {
    "no_success", "decided", "no_material_difference", "undecided"};

/// A strategy in the order of the comparison.
struct RatedStrategy {
  Spread finished = {};              // jobs that succeed
  Spread makespan = {};              // until the wanted jobs succeeded; infinite: never
  Spread gpu_hours = {};             // of the campaign
  Spread money = {};                 // likewise; not known without prices
  std::vector<double> figures = {};  // by goal, over all replicas
  double best_in_draws = not_known;  // share of the draws
  double loss = not_known;           // of the first figure against the best, mean over draws
  std::vector<std::size_t> best_under = {};  // indices of explanations
};

struct Choice {
  scenario::Preferences preferences = {};
  std::vector<scenario::GoalKind> order = {};
  std::string currency = {};                // empty without prices
  std::vector<std::string> free_gpus = {};  // models without a price, where others have one
  std::size_t wanted = 0;                   // jobs
  std::size_t draws = 0;  // of the calibration, that have a replica with a success
  ChoiceState state = ChoiceState::no_success;
  std::size_t best = 0;
  std::vector<std::size_t> alike = {};  // the best ones, if there are several
  std::size_t decided_by = 0;           // the goal that separates the best from the last one left
  double disputed = 0;   // posterior of the explanations under which `best` is not best
  double resamples = 1;  // share of the resamples in which it is among the best
  std::vector<RatedStrategy> strategies = {};
};

/// The choice of a complete comparison with at least one replica; its seed draws the resamples.
Choice choose(Comparison const& complete);

/// The figure of a goal under the baseline and under a strategy, and the difference with the 95 %
/// interval of 200 resamples of the replicas. Two infinite figures do not differ.
struct GoalGain {
  scenario::GoalKind goal = scenario::GoalKind::successes;
  double before = not_known, after = not_known;
  double difference = not_known;
  Interval ci95 = {not_known, not_known};
};
GoalGain goal_gain(Comparison const& complete, std::size_t strategy, scenario::GoalKind goal);

/// Money for a campaign of a forecast; not known without prices.
Spread money_of(Prediction const& prediction, scenario::Scenario const& scenario,
                scenario::Strategy const& strategy);

/// The strategies by rank: the best first, then by the first goal whose figures differ by more than
/// the margin.
std::vector<std::size_t> ranking(Choice const& choice);

/// The strategies that are within the margin of the best in all goals before this one.
std::vector<std::size_t> equal_before(Choice const& choice, std::size_t goal);

/// True if the strategy is as good as another one, within the margin, in all goals up to this one,
/// or better in the first that separates them.
bool as_good_until(Choice const& choice, std::size_t strategy, std::size_t other, std::size_t goal);

/// The score of each replica for a goal: more is better (comparison.hpp, value_of_parameters.hpp).
std::vector<double> goal_scores(Comparison const& complete, std::size_t strategy,
                                scenario::GoalKind goal);

/// The figure of a goal that is larger if it is better.
bool more_is_better(scenario::GoalKind goal);

}  // namespace gridcast::study
