#include "sim/study/choice.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "sim/study/record.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::study {
namespace {

using scenario::GoalKind;
using Rows = std::vector<std::size_t>;

/// The figures of each replica of a strategy.
struct Campaigns {
  std::vector<double> won, share, met, time, hours, money;  // met: the deadline, 1 or 0
};

constexpr double seconds_an_hour = 3600, bytes_a_terabyte = 1e12;

/// The mean price of a GPU hour of a replica, by its slot time at the sites.
std::vector<double> hour_prices(StudySample const& sample, Bill const& bill) {
  std::vector<double> time(sample.size(), 0), money(sample.size(), 0);
  for (auto const& [site, price] : bill.sites) {
    for (auto const* line : {"compute_success_s", "transfer_success_s", "badput_s"}) {
      auto const spent = column(sample, site_column(line, site));
      for (std::size_t i = 0; i < spent.size(); ++i) {
        if (!(spent[i] > 0)) continue;
        time[i] += spent[i];
        money[i] += spent[i] * price;
      }
    }
  }
  for (std::size_t i = 0; i < time.size(); ++i) {
    money[i] = time[i] > 0 ? money[i] / time[i] : bill.prices.gpu_hour;
  }
  return money;
}

/// Money for GPU hours, input and work; the GPU hours without prices.
std::vector<double> money_of(Comparison const& comparison, std::size_t strategy,
                             std::vector<double> const& hours) {
  auto const& bill = comparison.bill;
  if (!bill.prices.any()) return hours;
  auto const& sample = comparison.samples[strategy];
  auto money = hour_prices(sample, bill);
  auto const won = column(sample, "succeeded"), wrong = column(sample, "wrong_output"),
             lost = column(sample, "evictions");
  double const input = bill.input.value() / bytes_a_terabyte * bill.prices.terabyte;
  double const work = strategy < comparison.descriptions.size()
                          ? comparison.descriptions[strategy].work.value() / seconds_an_hour *
                                bill.prices.person_hour
                          : 0;
  auto const known = [](double x) { return std::isnan(x) ? 0 : x; };
  for (std::size_t i = 0; i < money.size(); ++i) {
    money[i] = hours[i] * money[i] + work + (won[i] + known(wrong[i]) + known(lost[i])) * input;
  }
  return money;
}

Campaigns campaigns_of(Comparison const& comparison, std::size_t strategy, std::size_t wanted) {
  auto const& sample = comparison.samples[strategy];
  Campaigns all;
  all.won = column(sample, "succeeded");
  all.time = makespans(sample, wanted);
  all.hours = ratio_columns(sample, deciding_figure(), comparison.gpus_per_job).top;
  all.money = money_of(comparison, strategy, all.hours);
  double const most = static_cast<double>(wanted);
  for (double const won : all.won) all.share.push_back(std::min(won, most) / most);
  double const deadline = comparison.preferences.goal.deadline.value();
  for (double const time : all.time) all.met.push_back(std::isnan(time) ? nan : time <= deadline);
  return all;
}

double mean_of(std::vector<double> const& values, Rows const& rows) {
  double sum = 0, n = 0;
  for (std::size_t const i : rows) {
    if (std::isnan(values[i])) continue;
    sum += values[i];
    ++n;
  }
  return n > 0 ? sum / n : not_known;
}

/// A value of the sample, as some may be infinite.
double median_of(std::vector<double> const& values, Rows const& rows) {
  std::vector<double> known;
  for (std::size_t const i : rows) {
    if (!std::isnan(values[i])) known.push_back(values[i]);
  }
  if (known.empty()) return not_known;
  auto const middle = known.begin() + static_cast<std::ptrdiff_t>((known.size() - 1) / 2);
  std::nth_element(known.begin(), middle, known.end());
  return *middle;
}

/// Sum over sum; infinite if nothing succeeds.
double for_each_success(std::vector<double> const& spent, std::vector<double> const& won,
                        Rows const& rows) {
  double top = 0, bottom = 0;
  bool known = false;
  for (std::size_t const i : rows) {
    if (std::isnan(spent[i]) || std::isnan(won[i])) continue;
    known = true;
    top += spent[i];
    bottom += won[i];
  }
  return !known ? not_known : bottom > 0 ? top / bottom : infinity;
}

double figure(Campaigns const& all, Rows const& rows, GoalKind goal) {
  switch (goal) {
    case GoalKind::successes:
      return mean_of(all.share, rows);
    case GoalKind::deadline:
      return mean_of(all.met, rows);
    case GoalKind::makespan:
      return median_of(all.time, rows);
    case GoalKind::gpu_hours:
      return for_each_success(all.hours, all.won, rows);
    case GoalKind::cost:
      return for_each_success(all.money, all.won, rows);
  }
  throw InternalError("every goal has a figure");
}

/// True if x is within the margin of the best figure.
bool as_good(GoalKind goal, double x, double best, double margin) {
  if (std::isinf(best)) return std::isinf(x);
  // A share of campaigns is a relative figure itself.
  double const slack = goal == GoalKind::deadline ? margin : margin * std::abs(best);
  return more_is_better(goal) ? x >= best - slack : x <= best + slack;
}

struct Left {
  Rows strategies;
  std::size_t decided_by = 0;  // the last goal that left any out
};

/// figures[goal][strategy] of the candidates; NaN is no candidate.
Left best_of(std::vector<std::vector<double>> const& figures, Rows candidates,
             std::vector<GoalKind> const& order, double margin) {
  Left left{std::move(candidates)};
  for (std::size_t g = 0; g < order.size(); ++g) {
    bool const more = more_is_better(order[g]);
    double best = not_known;
    for (std::size_t const s : left.strategies) {
      double const x = figures[g][s];
      if (std::isnan(best) || (more ? x > best : x < best)) best = x;
    }
    if (std::isnan(best)) continue;
    auto const gone = std::erase_if(left.strategies, [&](std::size_t s) {
      return std::isnan(figures[g][s]) || !as_good(order[g], figures[g][s], best, margin);
    });
    if (gone > 0) left.decided_by = g;
  }
  return left;
}

/// The replicas of a comparison, arranged for the rule.
struct GoalEvidence {
  std::vector<Campaigns> strategies;
  std::vector<GoalKind> order;
  double margin = 0;
  Rows candidates;

  std::vector<std::vector<double>> figures(Rows const& rows) const {
    std::vector<std::vector<double>> result;
    for (GoalKind const goal : order) {
      auto& row = result.emplace_back();
      for (auto const& each : strategies) row.push_back(figure(each, rows, goal));
    }
    return result;
  }
  /// Nobody if no job succeeds in these replicas.
  Left best(std::vector<std::vector<double>> const& figures, Rows const& rows) const {
    bool const any = std::ranges::any_of(
        candidates, [&](std::size_t s) { return mean_of(strategies[s].won, rows) > 0; });
    return any ? best_of(figures, candidates, order, margin) : Left{};
  }
};

bool is_about_money(GoalKind goal) { return goal == GoalKind::gpu_hours || goal == GoalKind::cost; }

/// All strategies; if money comes first, without those under which too few jobs succeed.
Rows candidates_of(Comparison const& comparison, GoalKind first) {
  Rows candidates;
  auto const standing = standings(comparison);
  for (std::size_t s = 0; s < comparison.samples.size(); ++s) {
    if (!is_about_money(first) || standing[s].rank == Rank::ranked) candidates.push_back(s);
  }
  return candidates;
}

GoalEvidence goal_evidence(Comparison const& comparison, std::size_t wanted) {
  auto const& preferences = comparison.preferences;
  GoalEvidence evidence;
  evidence.order = scenario::order_of_goals(preferences.goal.kind);
  evidence.margin = preferences.margin;
  evidence.candidates = candidates_of(comparison, preferences.goal.kind);
  for (std::size_t s = 0; s < comparison.samples.size(); ++s) {
    evidence.strategies.push_back(campaigns_of(comparison, s, wanted));
  }
  return evidence;
}

/// The replicas of each draw; a replica without a draw is one of its own.
std::vector<Rows> rows_by_draw(StudySample const& sample) {
  auto const draws = column(sample, "draw");
  std::map<double, Rows> groups;
  std::vector<Rows> result;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    if (std::isnan(draws[i])) {
      result.push_back({i});
    } else {
      groups[draws[i]].push_back(i);
    }
  }
  for (auto& [draw, rows] : groups) result.push_back(std::move(rows));
  return result;
}

Rows all_rows(std::size_t n) {
  Rows rows(n);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

/// The share of draws of each strategy, and its expected loss.
void rate_by_draws(Choice& choice, GoalEvidence const& evidence, std::vector<Rows> const& draws) {
  std::size_t const strategies = evidence.strategies.size();
  std::vector<double> hits(strategies, 0), loss(strategies, 0);
  bool const more = more_is_better(choice.order.front());
  for (Rows const& rows : draws) {
    auto const figures = evidence.figures(rows);
    auto const left = evidence.best(figures, rows);
    if (left.strategies.empty()) continue;
    ++choice.draws;
    double best = figures.front()[left.strategies.front()];
    for (std::size_t const s : evidence.candidates) {
      double const x = figures.front()[s];
      if (more ? x > best : x < best) best = x;
    }
    for (std::size_t s = 0; s < strategies; ++s) {
      hits[s] += contains(left.strategies, s) ? 1 : 0;
      loss[s] += std::abs(figures.front()[s] - best);
    }
  }
  if (choice.draws == 0) return;
  for (std::size_t s = 0; s < strategies; ++s) {
    choice.strategies[s].best_in_draws = hits[s] / static_cast<double>(choice.draws);
    double const mean = loss[s] / static_cast<double>(choice.draws);
    if (std::isfinite(mean)) choice.strategies[s].loss = mean;
  }
}

/// Which strategies are best under each explanation; the posterior where `best` is not.
void rate_by_explanations(Choice& choice, GoalEvidence const& evidence, StudySample const& sample) {
  auto const names = hypotheses(sample);
  double contested = 0, held = 0;
  for (std::size_t h = 0; h < names.size(); ++h) {
    Rows const rows = rows_under(sample, names[h]);
    auto const left = evidence.best(evidence.figures(rows), rows);
    double const posterior = static_cast<double>(rows.size());
    if (!left.strategies.empty()) contested += posterior;
    if (contains(left.strategies, choice.best)) held += posterior;
    for (std::size_t const s : left.strategies) choice.strategies[s].best_under.push_back(h);
  }
  if (contested > 0) choice.disputed = 1 - held / contested;
}

/// The share of resamples of the replicas in which `best` is among the best.
double agreement(Choice const& choice, GoalEvidence const& evidence, std::size_t replicas,
                 std::uint64_t seed) {
  constexpr double most = 100, least = 20, budget = 2e7;
  double const each = static_cast<double>(evidence.strategies.size() * replicas);
  auto const resamples = static_cast<std::uint32_t>(std::clamp(budget / each, least, most));
  std::size_t same = 0;
  for (std::uint32_t b = 0; b < resamples; ++b) {
    auto stream = RandomStreams(seed, b).stream(Purpose::bootstrap, 1);
    Rows rows;
    for (std::size_t i = 0; i < replicas; ++i) {
      rows.push_back(stream.below(static_cast<std::uint32_t>(replicas)));
    }
    auto const left = evidence.best(evidence.figures(rows), rows);
    same += contains(left.strategies, choice.best) ? 1U : 0U;
  }
  return static_cast<double>(same) / static_cast<double>(resamples);
}

/// The goal's figure in each replica; infinite times are not known.
std::vector<double> figure_by_replica(Campaigns const& all, GoalKind goal) {
  std::vector<double> values;
  for (std::size_t i = 0; i < all.won.size(); ++i) {
    double const x = figure(all, {i}, goal);
    values.push_back(std::isfinite(x) ? x : not_known);
  }
  return values;
}

/// True if the difference of two strategies varies between draws by more than the margin.
bool differs_between_draws(GoalEvidence const& evidence, std::size_t one, std::size_t other,
                           GoalKind goal, std::vector<double> const& draws) {
  constexpr double least_share = 0.1;
  auto const x = figure_by_replica(evidence.strategies[one], goal);
  auto const y = figure_by_replica(evidence.strategies[other], goal);
  std::vector<double> difference(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) difference[i] = x[i] - y[i];
  auto const parts = variance_parts(difference, draws);
  if (!parts || parts->ignorance_share() < least_share) return false;
  double const level = mean_of(x, all_rows(x.size()));
  double const slack =
      goal == GoalKind::deadline ? evidence.margin : evidence.margin * std::abs(level);
  return std::sqrt(parts->ignorance) > slack;
}

/// True if the draws disagree on two strategies that are alike in all draws together, in any of the
/// goals. If too few draws have several replicas, chance counts as a difference between draws.
bool draws_disagree(Choice const& choice, GoalEvidence const& evidence, std::size_t other,
                    std::vector<double> const& draws) {
  if (!enough_second_looks(draws)) {
    return std::min(choice.strategies[choice.best].best_in_draws,
                    choice.strategies[other].best_in_draws) < enough_to_decide;
  }
  return std::ranges::any_of(evidence.order, [&](GoalKind goal) {
    return differs_between_draws(evidence, choice.best, other, goal, draws);
  });
}

ChoiceState state_of(Choice const& choice, GoalEvidence const& evidence,
                     std::vector<double> const& draws) {
  if (draws.size() < fewest_to_decide) return ChoiceState::undecided;
  if (choice.alike.empty()) {
    bool const holds = choice.strategies[choice.best].best_in_draws >= enough_to_decide &&
                       choice.disputed <= 1 - enough_to_decide &&
                       choice.resamples >= enough_to_decide;
    return holds ? ChoiceState::decided : ChoiceState::undecided;
  }
  bool const disputed = choice.disputed > 1 - enough_to_decide ||
                        std::ranges::any_of(choice.alike, [&](std::size_t s) {
                          return s != choice.best && draws_disagree(choice, evidence, s, draws);
                        });
  return disputed ? ChoiceState::undecided : ChoiceState::no_material_difference;
}

/// figures[goal][strategy].
std::vector<std::vector<double>> figures_by_goal(Choice const& choice) {
  std::vector<std::vector<double>> figures(choice.order.size());
  for (auto const& strategy : choice.strategies) {
    for (std::size_t g = 0; g < figures.size(); ++g) figures[g].push_back(strategy.figures[g]);
  }
  return figures;
}

/// The first of strategies that are alike: the baseline, else the one with the best figures.
std::size_t first_of(Rows const& alike, Comparison const& comparison) {
  return contains(alike, comparison.baseline) ? comparison.baseline : alike.front();
}

}  // namespace

Spread money_of(Prediction const& prediction, scenario::Scenario const& scenario,
                scenario::Strategy const& strategy) {
  if (!scenario.prices.any() || prediction.sample.size() == 0) return {};
  Comparison alone{prediction};
  alone.descriptions = {strategy.description};
  alone.samples = {prediction.sample};
  alone.bill = bill_of(scenario);
  auto const hours = ratio_columns(prediction.sample, deciding_figure(), alone.gpus_per_job).top;
  return spread_of(money_of(alone, 0, hours));
}

bool more_is_better(GoalKind goal) {
  return goal == GoalKind::successes || goal == GoalKind::deadline;
}

Choice choose(Comparison const& complete) {
  check(!complete.samples.empty() && complete.samples.front().size() > 0,
        "a choice is between strategies that were simulated");
  auto const& sample = complete.samples[complete.baseline];
  Choice choice{.preferences = complete.preferences,
                .order = scenario::order_of_goals(complete.preferences.goal.kind),
                .wanted = wanted_jobs(sample, complete.preferences.wanted)};
  if (complete.bill.prices.any()) choice.currency = complete.bill.prices.currency;
  choice.free_gpus = complete.bill.free_gpus;
  auto const evidence = goal_evidence(complete, choice.wanted);
  auto const all = all_rows(sample.size());
  auto const figures = evidence.figures(all);
  choice.strategies.resize(complete.samples.size());
  for (std::size_t s = 0; s < choice.strategies.size(); ++s) {
    auto& rated = choice.strategies[s];
    auto const& campaigns = evidence.strategies[s];
    for (auto const& of_goal : figures) rated.figures.push_back(of_goal[s]);
    rated.finished = summarise(complete.samples[s], "succeeded").range();
    rated.makespan = spread_of(campaigns.time);
    rated.gpu_hours = spread_of(campaigns.hours);
    if (!choice.currency.empty()) rated.money = spread_of(campaigns.money);
  }
  auto left = evidence.best(figures, all);
  if (left.strategies.empty()) return choice;
  choice.best = first_of(left.strategies, complete);
  choice.decided_by = left.decided_by;
  if (left.strategies.size() > 1) choice.alike = std::move(left.strategies);
  rate_by_draws(choice, evidence, rows_by_draw(sample));
  rate_by_explanations(choice, evidence, sample);
  choice.resamples = agreement(choice, evidence, sample.size(), complete.seed);
  choice.state = state_of(choice, evidence, column(sample, "draw"));
  return choice;
}

GoalGain goal_gain(Comparison const& complete, std::size_t strategy, GoalKind goal) {
  constexpr std::uint32_t resamples = 200;
  constexpr double lowest = 0.025;
  auto const& baseline = complete.samples[complete.baseline];
  auto const wanted = wanted_jobs(baseline, complete.preferences.wanted);
  auto const before = campaigns_of(complete, complete.baseline, wanted);
  auto const after = campaigns_of(complete, strategy, wanted);
  auto const figures = [&](Rows const& rows) {
    return std::pair(figure(before, rows, goal), figure(after, rows, goal));
  };
  auto const between = [](std::pair<double, double> const& pair) {
    return pair.first == pair.second ? 0 : pair.second - pair.first;
  };
  auto const replicas = static_cast<std::uint32_t>(baseline.size());
  auto const all = figures(all_rows(replicas));
  GoalGain gain{goal, all.first, all.second, between(all)};
  std::vector<double> differences;
  for (std::uint32_t b = 0; b < resamples && replicas > 1; ++b) {
    auto stream = RandomStreams(complete.seed, b).stream(Purpose::bootstrap, 2);
    Rows rows;
    for (std::uint32_t i = 0; i < replicas; ++i) rows.push_back(stream.below(replicas));
    double const difference = between(figures(rows));
    if (!std::isnan(difference)) differences.push_back(difference);
  }
  if (differences.empty()) return gain;
  std::ranges::sort(differences);
  auto const tail = static_cast<std::size_t>(lowest * count(differences.size()));
  gain.ci95 = {differences[tail], differences[differences.size() - 1 - tail]};
  return gain;
}

std::vector<double> goal_scores(Comparison const& complete, std::size_t strategy, GoalKind goal) {
  auto const& baseline = complete.samples[complete.baseline];
  auto const all =
      campaigns_of(complete, strategy, wanted_jobs(baseline, complete.preferences.wanted));
  if (goal == GoalKind::successes) return all.share;
  std::vector<double> scores;
  for (std::size_t i = 0; i < all.won.size(); ++i) {
    double const x = figure(all, {i}, goal);
    scores.push_back(more_is_better(goal) ? x : 1 / x);
  }
  return scores;
}

std::vector<std::size_t> equal_before(Choice const& choice, std::size_t goal) {
  auto order = choice.order;
  order.resize(std::min(goal, order.size()));
  return best_of(figures_by_goal(choice), all_rows(choice.strategies.size()), order,
                 choice.preferences.margin)
      .strategies;
}

bool as_good_until(Choice const& choice, std::size_t strategy, std::size_t other,
                   std::size_t goal) {
  double const margin = choice.preferences.margin;
  for (std::size_t g = 0; g <= goal && g < choice.order.size(); ++g) {
    GoalKind const kind = choice.order[g];
    double const x = choice.strategies[strategy].figures[g];
    double const y = choice.strategies[other].figures[g];
    if (std::isnan(x) || std::isnan(y)) return false;
    if (as_good(kind, x, y, margin) && as_good(kind, y, x, margin)) continue;
    return more_is_better(kind) ? x > y : x < y;
  }
  return true;
}

std::vector<std::size_t> ranking(Choice const& choice) {
  auto const figures = figures_by_goal(choice);
  Rows rest = all_rows(choice.strategies.size());
  Rows order = {choice.best};
  std::erase(rest, choice.best);
  while (!rest.empty()) {
    auto const left = best_of(figures, rest, choice.order, choice.preferences.margin);
    // Strategies without any figure come last.
    Rows const next = left.strategies.empty() ? rest : left.strategies;
    for (std::size_t const s : next) {
      order.push_back(s);
      std::erase(rest, s);
    }
  }
  return order;
}

}  // namespace gridcast::study
