#include "sim/scenario/preferences.hpp"

#include <algorithm>

#include "sim/base/text.hpp"

namespace gridcast::scenario {

std::string_view name(GoalKind kind) { return goal_names[static_cast<std::size_t>(kind)]; }

std::string to_text(Goal const& goal) {
  std::string const word(name(goal.kind));
  return goal.kind == GoalKind::deadline ? word + ":" + to_text(goal.deadline) : word;
}

std::optional<Goal> parse_goal(std::string_view text) {
  auto const colon = text.find(':');
  auto const word = trim(text.substr(0, colon));
  auto const found = std::find(goal_names.begin(), goal_names.end(), word);
  if (found == goal_names.end()) return std::nullopt;
  Goal goal{static_cast<GoalKind>(found - goal_names.begin())};
  bool const has_time = colon != std::string_view::npos;
  if (has_time != (goal.kind == GoalKind::deadline)) return std::nullopt;
  if (!has_time) return goal;
  std::string time(trim(text.substr(colon + 1)));
  std::erase_if(time, [](char c) { return c == '\'' || c == '"'; });
  auto const deadline = parse_seconds(time);
  if (!deadline || !(*deadline > Seconds())) return std::nullopt;
  goal.deadline = *deadline;
  return goal;
}

std::vector<GoalKind> order_of_goals(GoalKind first) {
  std::vector<GoalKind> order = {first};
  for (auto const next : {GoalKind::successes, GoalKind::makespan, GoalKind::cost}) {
    bool const repeats = next == first || (next == GoalKind::cost && first == GoalKind::gpu_hours);
    if (!repeats) order.push_back(next);
  }
  return order;
}

double Prices::of_gpu(std::string_view model) const {
  for (auto const& [of, price] : gpu_hours) {
    if (of == model) return price;
  }
  return gpu_hour;
}

}  // namespace gridcast::scenario
