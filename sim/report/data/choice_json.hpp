// The field table of a choice (sim/base/json_fields.hpp), for result_json.cpp. `row` is a
// JsonWriter or a JsonReader.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/base/json_fields.hpp"
#include "sim/base/statistics.hpp"
#include "sim/study/choice.hpp"

namespace gridcast::report {

inline std::vector<std::string> goal_keys(study::Choice const& choice) {
  return each_of<std::string>(choice.order, [](auto const goal) { return scenario::name(goal); });
}

/// Infinite times and costs are null in JSON.
inline void restore_infinite(study::RatedStrategy& rated,
                             std::vector<scenario::GoalKind> const& order) {
  auto const restore = [](double& x) { x = std::isnan(x) ? infinity : x; };
  auto& times = rated.makespan;
  if (!std::isnan(rated.finished.middle)) {
    for (double* time : {&times.low, &times.middle, &times.high}) restore(*time);
  }
  for (std::size_t g = 0; g < order.size() && g < rated.figures.size(); ++g) {
    if (!study::more_is_better(order[g])) restore(rated.figures[g]);
  }
}

void rated_rows(auto& row, auto& rated, std::vector<std::string> const& goals,
                std::vector<scenario::GoalKind> const& order) {
  row("finished", rated.finished);
  row("makespan_s", rated.makespan);
  row("gpu_hours", rated.gpu_hours);
  row("best_in_draws", rated.best_in_draws);
  row("expected_loss", rated.loss);
  row("money", rated.money, !std::isnan(rated.money.middle));
  row.restore(rated, [&](auto&, auto& read) { read.figures.assign(goals.size(), nan); });
  row.object("figures", true, [&](auto& figures) {
    for (std::size_t g = 0; g < goals.size(); ++g) figures(goals[g], rated.figures[g]);
  });
  row("best_under", rated.best_under);
  row.restore(rated, [&](auto&, auto& read) { restore_infinite(read, order); });
}

void choice_rows(auto& row, auto& choice, std::vector<std::string> const& strategies) {
  bool const any = choice.state != study::ChoiceState::no_success;
  row.named("goal", choice.preferences.goal.kind, scenario::goal_names);
  row("deadline_s", choice.preferences.goal.deadline);
  row("wanted_share", choice.preferences.wanted);
  row("wanted_jobs", choice.wanted);
  row("margin", choice.preferences.margin);
  row("currency", choice.currency);
  row.named("state", choice.state, study::choice_names);
  row.named("best", choice.best, strategies, any);
  row("alike", choice.alike);
  row("decided_by", choice.decided_by);
  row("draws", choice.draws);
  row("disputed", choice.disputed);
  row("same_in_resamples", choice.resamples);
  row.restore(choice, [&](auto&, auto& read) {
    read.order = scenario::order_of_goals(read.preferences.goal.kind);
    read.strategies.resize(strategies.size());
    std::erase_if(read.alike, [&](std::size_t s) { return s >= strategies.size(); });
    read.decided_by = std::min(read.decided_by, read.order.size() - 1);
  });
  auto const goals = goal_keys(choice);
  row.object("strategies", true, [&](auto& all) {
    for (std::size_t s = 0; s < strategies.size(); ++s) {
      all.object(strategies[s], true,
                 [&](auto& one) { rated_rows(one, choice.strategies[s], goals, choice.order); });
    }
  });
}

}  // namespace gridcast::report
