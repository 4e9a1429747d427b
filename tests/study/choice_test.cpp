#include "sim/study/choice.hpp"

#include <cmath>
#include <csignal>
#include <functional>

#include "sim/study/comparison.hpp"
#include "sim/study/record.hpp"
#include "tests/test.hpp"

namespace gridcast::study {
namespace {

using scenario::GoalKind;
using scenario::Hypothesis;

constexpr double day = 86400;

/// A campaign of a hundred jobs. Its successes come evenly until the last one.
struct Lived {
  double won = 0, hours = 0, last = day;
};
/// The campaign of a strategy in a replica of a draw.
using World = std::function<Lived(std::size_t strategy, std::size_t draw, std::size_t replica)>;

Record record_of(StudySample const& sample, Lived const& lived, std::size_t draw) {
  Record record(sample.names.size(), not_known);
  auto const put = [&](std::string const& name, double value) {
    record[column_index(sample, name)] = value;
  };
  put("jobs", 100);
  put("succeeded", lived.won);
  put("wallclock_s", 3600 * lived.hours);
  put("makespan_s", lived.last);
  put("draw", static_cast<double>(draw));
  // Half of the draws belong to each explanation.
  put("hypothesis", static_cast<double>(draw % 2 == 0 ? Hypothesis::overload : Hypothesis::slow));
  for (std::size_t step = 1; step <= finish_steps; ++step) {
    double const rank = static_cast<double>(finish_rank(step, 100));
    if (rank <= lived.won) {
      put(std::string(finish_of) + std::to_string(step), lived.last * rank / lived.won);
    }
  }
  return record;
}

Comparison comparison_of(std::vector<std::string> strategies, std::size_t draws,
                         std::size_t replicas, World const& world) {
  Comparison comparison;
  comparison.strategies = std::move(strategies);
  comparison.seed = 3;
  comparison.requested = draws * replicas;
  for (std::size_t s = 0; s < comparison.strategies.size(); ++s) {
    StudySample sample{record_names({}), {}, {}};
    for (std::size_t d = 0; d < draws; ++d) {
      for (std::size_t i = 0; i < replicas; ++i) {
        sample.replicas.push_back(static_cast<std::uint32_t>(sample.records.size()));
        sample.records.emplace_back(record_of(sample, world(s, d, i), d));
      }
    }
    comparison.samples.push_back(std::move(sample));
  }
  return comparison;
}

Choice choice_for(GoalKind goal, Comparison comparison, Seconds deadline = {}) {
  comparison.preferences.goal = {goal, deadline};
  return choose(comparison);
}

// The case: the cheap strategy loses a quarter of the jobs at the same cost for each.
TEST_CASE("finished jobs come before cost", "[choice]") {
  auto const world = [](std::size_t s, std::size_t, std::size_t) {
    constexpr Lived all[] = {{75, 700}, {74, 500}, {94, 640}};
    return all[s];
  };
  auto const made = comparison_of({"published", "upgrade", "upgrade-release"}, 20, 2, world);
  auto const choice = choice_for(GoalKind::successes, made);
  CHECK(choice.state == ChoiceState::decided);
  CHECK(choice.best == 2);
  CHECK(choice.wanted == 90);
  CHECK(choice.strategies[2].best_in_draws == 1);
  CHECK(choice.strategies[0].figures.front() == Approx(75. / 90));
  // Above the wanted share more jobs are not better.
  CHECK(choice.strategies[2].figures.front() == Approx(1));
  // 500 / 74 is less than 640 / 94 by 0.8 %, which does not matter; by 20 % it does.
  CHECK(choice_for(GoalKind::gpu_hours, made).best == 2);
  auto const cheap = comparison_of({"published", "cheap", "sure"}, 20, 2, [](auto s, auto, auto) {
    constexpr Lived all[] = {{75, 700}, {74, 400}, {94, 640}};
    return all[s];
  });
  CHECK(choice_for(GoalKind::gpu_hours, cheap).best == 1);
  CHECK(choice_for(GoalKind::successes, cheap).best == 2);
}

TEST_CASE("the next goal breaks a tie within the margin", "[choice]") {
  auto const world = [](std::size_t s, std::size_t, std::size_t) {
    constexpr Lived all[] = {{95, 700, 5 * day}, {94, 700, 3 * day}, {94, 600, 3.02 * day}};
    return all[s];
  };
  auto const choice =
      choice_for(GoalKind::successes, comparison_of({"slow", "fast", "cheap"}, 20, 1, world));
  // All reach 90 jobs; two need equal time; one of these costs less.
  CHECK(choice.best == 2);
  CHECK(choice.order[choice.decided_by] == GoalKind::cost);
  CHECK(choice.state == ChoiceState::decided);
}

TEST_CASE("failure is not fast", "[choice]") {
  auto const world = [](std::size_t s, std::size_t, std::size_t) {
    // One gives up after an hour, the other needs ten days for 95 jobs.
    return s == 0 ? Lived{10, 20, 3600} : Lived{95, 700, 10 * day};
  };
  auto const made = comparison_of({"give-up", "finish"}, 20, 1, world);
  for (auto const goal : {GoalKind::makespan, GoalKind::successes}) {
    auto const choice = choice_for(goal, made);
    CHECK(choice.best == 1);
    CHECK(std::isinf(choice.strategies[0].makespan.middle));
    CHECK(choice.strategies[1].makespan.middle == Approx(10 * day * 90 / 95));
  }
  // Money first: a strategy that gives up in most replicas is no candidate against the baseline.
  auto swapped = made;
  swapped.baseline = 1;
  CHECK(choice_for(GoalKind::cost, swapped).best == 1);
}

TEST_CASE("a deadline is met by the wanted share of jobs", "[choice]") {
  auto const world = [](std::size_t s, std::size_t, std::size_t i) {
    // The first is fast in three of four replicas, the second always takes two days.
    return s == 0 ? Lived{100, 500, i % 4 == 0 ? 20 * day : day} : Lived{100, 500, 2 * day};
  };
  auto const made = comparison_of({"risky", "steady"}, 20, 4, world);
  CHECK(choice_for(GoalKind::deadline, made, days(1.5)).best == 0);
  CHECK(choice_for(GoalKind::deadline, made, days(1.5)).strategies[0].figures[0] == Approx(0.75));
  CHECK(choice_for(GoalKind::deadline, made, days(3)).best == 1);
  CHECK(choice_for(GoalKind::deadline, made, days(3)).state == ChoiceState::decided);
}

/// Equal but for a wobble of single replicas by a job either way.
Lived wobbling(std::size_t s, std::size_t d, std::size_t i) {
  double const wobble = static_cast<double>((7 * d + 5 * i + 3 * s) % 11) / 5 - 1;
  return {80 + wobble, 500 + (s == 1 ? 2.0 : 0.0), 3 * day};
}

TEST_CASE("replicas never turn a tie into a decision", "[choice]") {
  for (std::size_t const replicas : {2, 20, 200}) {
    auto const choice =
        choice_for(GoalKind::successes, comparison_of({"a", "b"}, 20, replicas, wobbling));
    CHECK(choice.state == ChoiceState::no_material_difference);
    CHECK(choice.alike == std::vector<std::size_t>{0, 1});
    CHECK(choice.best == 0);  // the baseline: nothing speaks for a change
  }
}

TEST_CASE("strategies that are best in half of the draws are not decided", "[choice]") {
  for (std::size_t const replicas : {1, 50}) {
    // Draws 0, 4, 8, ... and 1, 5, ... favour b, so that both explanations have both.
    auto const choice = choice_for(
        GoalKind::successes, comparison_of({"a", "b"}, 20, replicas, [](auto s, auto d, auto) {
          bool const favours_b = d % 4 < 2;
          return Lived{favours_b == (s == 1) ? 85. : 60., 500, 3 * day};
        }));
    CHECK(choice.state == ChoiceState::undecided);
    CHECK(choice.strategies[0].best_in_draws == Approx(0.5));
    CHECK(choice.strategies[1].best_in_draws == Approx(0.5));
    // Under half of the draws the choice finishes 25 jobs of 90 less.
    CHECK(choice.strategies[0].loss == Approx(0.5 * 25 / 90));
  }
}

TEST_CASE("strategies with equal successes whose draws disagree on the time are undecided",
          "[choice]") {
  for (std::size_t const replicas : {1, 50}) {
    auto const choice = choice_for(
        GoalKind::successes, comparison_of({"a", "b"}, 20, replicas, [](auto s, auto d, auto) {
          bool const favours_b = d % 4 < 2;
          return Lived{100, 500, favours_b == (s == 1) ? day : 6 * day};
        }));
    CHECK(choice.alike == std::vector<std::size_t>{0, 1});
    CHECK(choice.state == ChoiceState::undecided);
  }
}

TEST_CASE("explanations with other winners leave it undecided", "[choice]") {
  auto const choice =
      choice_for(GoalKind::successes, comparison_of({"a", "b"}, 20, 3, [](auto s, auto d, auto) {
                   return Lived{(d % 2 == 0) == (s == 0) ? 89. : 50. + 20 * static_cast<double>(s),
                                500, 3 * day};
                 }));
  CHECK(choice.best == 1);
  CHECK(choice.state == ChoiceState::undecided);
  CHECK(choice.disputed == Approx(0.5));
  CHECK(choice.strategies[0].best_under == std::vector<std::size_t>{0});
  CHECK(choice.strategies[1].best_under == std::vector<std::size_t>{1});
}

TEST_CASE("a study without a success has no choice", "[choice]") {
  auto const choice = choice_for(GoalKind::successes, comparison_of({"a", "b"}, 5, 1, [](auto...) {
                                   return Lived{0, 10, day};
                                 }));
  CHECK(choice.state == ChoiceState::no_success);
}

TEST_CASE("prices turn hours, input and work into money", "[choice]") {
  auto comparison = comparison_of({"a", "b"}, 10, 1, [](std::size_t s, auto, auto) {
    return s == 0 ? Lived{90, 500, day} : Lived{90, 400, day};
  });
  comparison.bill.prices.gpu_hour = 2;
  comparison.bill.prices.terabyte = 10;
  comparison.bill.prices.person_hour = 50;
  comparison.bill.input = Bytes(1e11);
  comparison.descriptions = {{}, {"an upgrade", hours(5)}};
  auto const choice = choice_for(GoalKind::cost, comparison);
  CHECK(choice.strategies[0].money.middle == Approx(500 * 2 + 90 * 0.1 * 10));
  CHECK(choice.strategies[1].money.middle == Approx(400 * 2 + 90 * 0.1 * 10 + 5 * 50));
  CHECK(choice.best == 0);  // 1090 against 1140, beyond the margin of 2 %
}

TEST_CASE("the gain of a goal has the interval of its resamples", "[choice]") {
  // Ten of the 90 wanted jobs more in each campaign; half of the campaigns are two days faster.
  auto const made = comparison_of({"current", "other"}, 20, 2, [](auto s, auto, auto replica) {
    if (s == 0) return Lived{60, 100, 4 * day};
    return Lived{70, 100, replica == 0 ? 2 * day : 4 * day};
  });
  auto const gain = goal_gain(made, 1, GoalKind::successes);
  CHECK(gain.before == Approx(60. / 90));
  CHECK(gain.after == Approx(70. / 90));
  CHECK(gain.ci95.low == Approx(10. / 90));
  CHECK(gain.ci95.high == Approx(10. / 90));
  // The wanted jobs never finish, before and after: no difference.
  auto const time = goal_gain(made, 1, GoalKind::makespan);
  CHECK(std::isinf(time.before));
  CHECK(time.difference == 0);
  auto const hours = goal_gain(made, 1, GoalKind::gpu_hours);
  CHECK(hours.difference == Approx(100. / 70 - 100. / 60));
}

Record clear_winner(std::size_t s, std::uint32_t replica) {
  StudySample const empty{record_names({}), {}, {}};
  double const wobble = static_cast<double>(replica % 7);
  constexpr double won[] = {60, 85, 40};
  return record_of(empty, {won[s] + wobble, 500, 3 * day}, replica % 50);
}

TEST_CASE("an interruption between the rounds keeps the first round", "[choice]") {
  Comparison comparison;
  comparison.strategies = {"published", "good", "bad"};
  StudyOptions options;
  options.replicas = 260;
  options.progress = [](std::size_t done, std::size_t, std::size_t) {
    if (done == 3 * first_round) std::raise(SIGINT);
  };
  run_in_rounds(comparison, record_names({}), options, clear_winner, nullptr);
  CHECK(comparison.interrupted);
  for (auto const& sample : comparison.samples) CHECK(sample.size() == first_round);
}

TEST_CASE("a strategy that cannot win is stopped after the first round", "[choice]") {
  Comparison comparison;
  comparison.strategies = {"published", "good", "bad"};
  StudyOptions options;
  options.replicas = 260;
  auto all = comparison;
  run_in_rounds(comparison, record_names({}), options, clear_winner, nullptr);
  CHECK(comparison.stopped == std::vector<bool>{false, false, true});
  CHECK(comparison.samples[0].size() == 260);
  CHECK(comparison.samples[2].size() == first_round);
  auto const paired = complete(comparison);
  CHECK(paired.samples[2].size() == 260);
  CHECK(std::isnan(column(paired.samples[2], "succeeded").back()));
  CHECK(column(paired.samples[2], "draw").back() == 9);
  // Whole samples, as shards give them, end as the same comparison.
  options.all = true;
  run_in_rounds(all, record_names({}), options, clear_winner, nullptr);
  CHECK(all.stopped.empty());
  CHECK(all.samples[2].size() == 260);
  options.all = false;
  stop_losers(all, options);
  CHECK(all.stopped == comparison.stopped);
  CHECK(all.samples[2].replicas == comparison.samples[2].replicas);
}

}  // namespace
TEST_CASE("as good within the margin, up to the goal that decides") {
  study::Choice choice;
  choice.preferences.margin = 0.02;
  choice.order = {GoalKind::successes, GoalKind::makespan, GoalKind::gpu_hours};
  auto const add = [&choice](std::vector<double> figures) {
    choice.strategies.emplace_back().figures = std::move(figures);
  };
  add({0.9, 100, 10});
  add({0.9, 101, 20});   // dearer, which is a later goal
  add({0.9, 103, 10});   // slower by more than 2 %
  add({0.95, 300, 50});  // better in the first goal
  CHECK(study::as_good_until(choice, 1, 0, 1));
  CHECK_FALSE(study::as_good_until(choice, 1, 0, 2));
  CHECK_FALSE(study::as_good_until(choice, 2, 0, 1));
  CHECK(study::as_good_until(choice, 3, 0, 2));
}

}  // namespace gridcast::study
