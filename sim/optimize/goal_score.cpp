#include "sim/optimize/goal_score.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/base/statistics.hpp"
#include "sim/optimize/search.hpp"
#include "sim/study/choice.hpp"
#include "sim/study/record.hpp"
#include "sim/study/replica_pool.hpp"

namespace gridcast::optimize {
namespace {

constexpr std::size_t numbers_before_point = 2;

std::filesystem::path file_in(std::filesystem::path const& folder) {
  prepare_folder(folder);
  return folder / "search.journal";
}

using scenario::GoalKind;

/// The part of a usual campaign that is added to each one where successes are divided by money.
/// Else a campaign that failed early, and cost next to nothing, outweighs all others.
constexpr double usual_part = 0.1;

study::Comparison empty_comparison(scenario::Scenario const& scenario,
                                   study::StudyOptions options) {
  options.all = true;
  options.replicas = 0;
  auto comparison = study::comparison_of(scenario, options, {});
  comparison.baseline = 0;
  return comparison;
}

/// The level of a goal that the current strategy never reaches: a share of one, a day, an hour.
double usual_level(GoalKind goal) {
  constexpr double seconds_a_day = 86400;
  return goal == GoalKind::makespan ? 1 / seconds_a_day : 1;
}

bool is_about_money(GoalKind goal) { return goal == GoalKind::gpu_hours || goal == GoalKind::cost; }

/// v of the header.
double value_of(GoalKind goal, double relative) {
  constexpr double steep = 10;  // above a tenth of the level, the logarithm
  bool const is_share = goal == GoalKind::successes || goal == GoalKind::deadline;
  return is_share ? relative : std::log1p(steep * relative);
}

std::map<Point, std::vector<std::uint32_t>> replicas_by_point(std::vector<Trial> const& trials) {
  std::map<Point, std::vector<std::uint32_t>> result;
  for (Trial const& trial : trials) result[trial.point].push_back(trial.replica);
  return result;
}

/// What each campaign of a strategy spent.
std::vector<double> spent(study::Comparison const& complete, std::size_t strategy, GoalKind goal) {
  auto const scores = study::goal_scores(complete, strategy, goal);  // successes / spent
  auto const won = study::column(complete.samples[strategy], "succeeded");
  std::vector<double> result;
  for (std::size_t i = 0; i < won.size(); ++i) {
    result.push_back(won[i] > 0 ? won[i] / scores[i] : nan);
  }
  return result;
}

UsualCampaign usual_campaign(study::Comparison const& complete, GoalKind goal) {
  auto const known = without_nan(spent(complete, complete.baseline, goal));
  auto const won = study::column(complete.samples[complete.baseline], "succeeded");
  return known.empty() ? UsualCampaign{} : UsualCampaign{mean(won), mean(known)};
}

/// Successes of each campaign of the second strategy for what it spent; 0 if too few succeed.
std::vector<double> for_money(study::Comparison const& both, GoalKind goal,
                              UsualCampaign const& usual) {
  auto const costs = spent(both, 1, goal);
  auto const won = study::column(both.samples[1], "succeeded");
  auto const enough = study::successes(both, 1);
  std::vector<double> scores;
  for (std::size_t i = 0; i < won.size(); ++i) {
    bool const none = enough[i] == study::Successes::too_few;
    double const score =
        (won[i] + usual_part * usual.succeeded) / (costs[i] + usual_part * usual.spent);
    scores.push_back(none ? 0 : score);
  }
  return scores;
}

study::StudyOptions with_seed(study::StudyOptions options, std::uint64_t number) {
  options.seed += number;
  return options;
}

/// The weight of a goal relative to the goal before it, by weighting.
std::vector<double> next_weights(GoalKind first) {
  bool const is_share = first == GoalKind::successes || first == GoalKind::deadline;
  return is_share ? std::vector{1.0 / 2} : std::vector{1.0 / 2, 1.0 / 16};
}

}  // namespace

SearchJournal::SearchJournal(std::filesystem::path const& folder, std::string const& fingerprint,
                             std::size_t settings, std::size_t columns)
    : journal_(file_in(folder), fingerprint,
               [wanted = numbers_before_point + settings + columns](study::Record const& record) {
                 return record.size() == wanted && record[0] >= 0 && record[1] >= 0;
               }),
      settings_(settings) {
  for (auto const& [number, entry] : journal_.records()) {
    next_ = std::max(next_, number + 1);
    Point point(settings_);
    auto const values = entry.begin() + numbers_before_point;
    auto const record = values + static_cast<std::ptrdiff_t>(settings_);
    std::transform(values, record, point.begin(), [](double value) {
      return std::isnan(value) ? std::nullopt : std::optional(value);
    });
    auto& records = known_[static_cast<std::uint32_t>(entry[0])][point];
    records.emplace(static_cast<std::uint32_t>(entry[1]), study::Record(record, entry.end()));
  }
}

KnownRecords const& SearchJournal::known(std::uint32_t stage) const {
  static KnownRecords const none;
  auto const* const found = find_in(known_, stage);
  return found == nullptr ? none : *found;
}

void SearchJournal::add(std::uint32_t stage, Trial const& trial, study::Record const& record) {
  study::Record entry = {static_cast<double>(stage), static_cast<double>(trial.replica)};
  for (auto const& value : trial.point) entry.push_back(value.value_or(nan));
  entry.insert(entry.end(), record.begin(), record.end());
  journal_.add(next_++, entry);
}

GoalScore::GoalScore(scenario::Scenario const& scenario, StrategySpace const& space,
                     study::StudyOptions const& options, SearchJournal* journal,
                     std::uint32_t stage, GoalLevels levels)
    : scenario_(scenario),
      space_(space),
      options_(options),
      empty_(empty_comparison(scenario, options)),
      goals_(scenario::order_of_goals(scenario.study.preferences.goal.kind)),
      journal_(journal),
      stage_(stage),
      levels_(std::move(levels)) {
  if (journal_ != nullptr) records_ = journal_->known(stage_);
}

std::vector<Trial> GoalScore::missing(std::vector<Trial> const& trials) const {
  std::vector<Trial> wanted;
  std::set<std::pair<Point, std::uint32_t>> seen;
  auto const add = [&](Point const& point, std::uint32_t replica) {
    auto const known = records_.find(point);
    if (known != records_.end() && known->second.contains(replica)) return;
    if (seen.insert({point, replica}).second) wanted.push_back({point, replica});
  };
  for (Trial const& trial : trials) {
    add(space_.space().start(), trial.replica);
    add(trial.point, trial.replica);
  }
  return wanted;
}

bool GoalScore::simulate(std::vector<Trial> const& trials) {
  if (trials.empty()) return true;
  std::map<Point, scenario::Strategy> strategies;
  for (Trial const& trial : trials) {
    if (!strategies.contains(trial.point)) {
      strategies.emplace(trial.point, space_.strategy_at(trial.point));
    }
  }
  auto const result = study::run_replicas(
      trials.size(), options_.processes,
      [&](std::uint32_t number) {
        Trial const& trial = trials[number];
        return study::predict_replica(scenario_, strategies.at(trial.point), options_,
                                      trial.replica);
      },
      {}, options_.patience);
  for (auto const& [number, record] : result.records) {
    records_[trials[number].point].emplace(trials[number].replica, record);
    if (journal_ != nullptr) journal_->add(stage_, trials[number], record);
  }
  failed_ += result.failed.size();
  if (first_failure_.empty() && !result.failed.empty()) first_failure_ = result.failed.front().why;
  return !result.interrupted && result.trouble.empty();
}

study::Comparison GoalScore::comparison(std::vector<Point> const& points,
                                        std::vector<std::string> const& names) const {
  auto comparison = empty_;
  auto const columns = study::record_names(study::site_names(scenario_), options_.rows);
  comparison.strategies = names;
  comparison.descriptions.assign(points.size(), space_.current().description);
  comparison.beyond_record.assign(points.size(), scenario::RecordGap::none);
  comparison.samples.clear();
  for (Point const& point : points) {
    study::StudySample sample{columns, {}, {}};
    if (auto const* known = find_in(records_, point)) {
      for (auto const& [replica, record] : *known) {
        sample.replicas.push_back(replica);
        sample.records.push_back(record);
      }
    }
    comparison.requested = std::max(comparison.requested, sample.size());
    comparison.samples.push_back(std::move(sample));
  }
  return comparison;
}

study::Comparison GoalScore::with_current(Point const& point,
                                          std::vector<std::uint32_t> const& replicas) const {
  std::set<std::uint32_t> const wanted(replicas.begin(), replicas.end());
  auto both = comparison({space_.space().start(), point}, {"current", "other"});
  for (auto& sample : both.samples) {
    study::StudySample part{sample.names, {}, {}};
    for (std::size_t i = 0; i < sample.size(); ++i) {
      if (!wanted.contains(sample.replicas[i])) continue;
      part.replicas.push_back(sample.replicas[i]);
      part.records.push_back(sample.records[i]);
    }
    sample = std::move(part);
  }
  return study::complete(both);
}

std::vector<std::vector<double>> GoalScore::goal_scores(
    Point const& point, std::vector<std::uint32_t> const& replicas) const {
  auto const both = with_current(point, replicas);
  std::vector<std::vector<double>> scores(goals_.size(), std::vector<double>(replicas.size(), nan));
  auto const& rows = both.samples.front().replicas;
  if (rows.empty()) return scores;
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    auto const found = is_about_money(goals_[g]) ? for_money(both, goals_[g], levels_.usual[g])
                                                 : study::goal_scores(both, 1, goals_[g]);
    for (std::size_t i = 0; i < replicas.size(); ++i) {
      auto const row = std::ranges::lower_bound(rows, replicas[i]);
      if (row == rows.end() || *row != replicas[i]) continue;
      auto const at = static_cast<std::size_t>(row - rows.begin());
      scores[g][i] = std::isfinite(found[at]) ? found[at] : 0;
    }
  }
  return scores;
}

GoalLevels const& GoalScore::set_levels(std::vector<std::uint32_t> const& replicas) {
  levels_ = {};
  Point const& start = space_.space().start();
  auto const current = with_current(start, replicas);
  for (GoalKind const goal : goals_) {
    levels_.usual.push_back(is_about_money(goal) ? usual_campaign(current, goal) : UsualCampaign{});
  }
  auto const scores = goal_scores(start, replicas);
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    auto reached = without_nan(scores[g]);
    std::erase(reached, 0.0);
    levels_.of_goals.push_back(reached.empty() ? usual_level(goals_[g]) : mean(reached));
  }
  return levels_;
}

std::vector<double> GoalScore::operator()(std::vector<Trial> const& trials) {
  if (!simulate(missing(trials))) return {};
  if (levels_.of_goals.empty()) set_levels(replicas_by_point(trials).begin()->second);
  return scores(trials, next_weights(goals_.front()).front());
}

std::vector<double> GoalScore::scores(std::vector<Trial> const& trials, double next_weight) const {
  std::map<std::pair<Point, std::uint32_t>, double> score;
  for (auto const& [point, replicas] : replicas_by_point(trials)) {
    auto const of_goals = goal_scores(point, replicas);
    for (std::size_t i = 0; i < replicas.size(); ++i) {
      double sum = 0, weight = 1;
      for (std::size_t g = 0; g < goals_.size(); ++g, weight *= next_weight) {
        sum += weight * value_of(goals_[g], of_goals[g][i] / levels_.of_goals[g]);
      }
      score[{point, replicas[i]}] = sum;
    }
  }
  std::vector<double> result;
  for (Trial const& trial : trials) result.push_back(score.at({trial.point, trial.replica}));
  return result;
}

Stage::Stage(scenario::Scenario const& scenario, StrategySpace const& space, Budget& budget,
             study::StudyOptions const& options, SearchJournal* journal, std::uint32_t number,
             GoalLevels const& levels)
    : score_(scenario, space, with_seed(options, number), journal, number, levels),
      budget_(budget),
      progress_(options.progress),
      board_(weightings(next_weights(scenario.study.preferences.goal.kind)), budget) {}

std::vector<Simulate> Stage::weightings(std::vector<double> const& weights) {
  std::vector<Simulate> result = {
      [this](std::vector<Trial> const& trials) { return simulated(trials); }};
  for (std::size_t w = 1; w < weights.size(); ++w) {
    result.emplace_back([this, weight = weights[w]](std::vector<Trial> const& trials) {
      return score_.scores(trials, weight);
    });
  }
  return result;
}

std::vector<double> Stage::simulated(std::vector<Trial> const& trials) {
  auto scores = score_(trials);
  double const share = std::clamp(budget_.used(), 1e-6, 1.0);
  auto const done = budget_.spent() + trials.size();
  auto const total = static_cast<double>(budget_.spent()) / share;
  if (progress_) progress_(done, score_.failed(), std::max(done, static_cast<std::size_t>(total)));
  return scores;
}

study::Comparison Stage::compare(std::vector<Point> const& points) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < points.size(); ++i) {
    names.push_back(i == 0 ? "current" : fmt::format("candidate-{}", i));
  }
  return study::complete(score_.comparison(points, names));
}

std::vector<Point> Stage::best_of(std::vector<Point> const& points, std::size_t most) {
  std::vector<std::vector<Point>> orders(board_.weightings(), points);
  for (std::size_t w = board_.weightings(); w-- > 0;) {
    board_.weigh_by(w);
    board_.sort_best_first(orders[w]);
  }
  return taken_in_turn(orders, most);
}

}  // namespace gridcast::optimize
