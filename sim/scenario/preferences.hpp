// The owner's preferences between strategies: the goal, the share of jobs that have to succeed, the
// margin within which strategies count as equal, and the prices of the resources.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace gridcast::scenario {

class YamlDocument;
struct Pool;

/// The first criterion of a comparison. The others follow, and break ties.
enum class GoalKind {
  successes,  // jobs that succeed, up to the wanted share
  deadline,   // probability that the wanted share has succeeded by a time
  makespan,   // time until the wanted share has succeeded
  gpu_hours,  // GPU hours for each success
  cost,       // money for each success; without prices the GPU hours
};
inline constexpr std::array<std::string_view, 5> goal_names = {"successes", "deadline", "makespan",
                                                               "gpu-hours", "cost"};
std::string_view name(GoalKind kind);

struct Goal {
  GoalKind kind = GoalKind::successes;
  Seconds deadline = {};  // of GoalKind::deadline

  bool operator==(Goal const&) const = default;
};
/// "successes", "deadline:3 d".
std::string to_text(Goal const& goal);
/// Nothing for another text. The time of a deadline may stand in quotes.
std::optional<Goal> parse_goal(std::string_view text);
/// The forms of a goal, for messages.
inline constexpr char goal_forms[] = "successes, deadline:TIME, makespan, gpu-hours or cost";

/// The goal, and the goals that break its ties in turn.
std::vector<GoalKind> order_of_goals(GoalKind first);

struct Preferences {
  Goal goal = {};
  double wanted = 0.9;   // share of the campaign's jobs
  double margin = 0.02;  // relative difference that does not matter
};

/// Money for each unit of a resource. Zero: it costs nothing, or its price is not known.
struct Prices {
  std::string currency = "EUR";
  double gpu_hour = 0;
  std::vector<std::pair<std::string, double>> gpu_hours = {};  // by model, instead of gpu_hour
  double terabyte = 0;                                         // of input
  double person_hour = 0;

  bool any() const { return gpu_hour > 0 || !gpu_hours.empty() || terabyte > 0 || person_hour > 0; }
  /// The price of an hour of a GPU of this model.
  double of_gpu(std::string_view model) const;
};

/// GPU models of the pool that have no price although others have one.
std::vector<std::string> models_without_price(Prices const& prices, Pool const& pool);

/// Reports a priced GPU model that no site has, if another model would be free: a name misspelt.
/// Models without a price go to `notes`.
void check_prices(YamlDocument& document, Prices const& prices, Pool const& pool,
                  std::vector<Problem>& notes);

}  // namespace gridcast::scenario
