#include "sim/scenario/preferences.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/tables.hpp"
#include "sim/scenario/yaml/fields.hpp"

namespace gridcast::scenario {
namespace {

void read_goal(YamlValue const& value, Preferences& preferences) {
  std::string text;
  read_value(value, {}, text);
  if (value.document.is_bad(value.path)) return;
  if (auto const goal = parse_goal(text)) {
    preferences.goal = *goal;
  } else {
    value.complain("'" + text + "' is no goal", "", std::string("Write ") + goal_forms + ".");
  }
}

void read_prices_of_models(YamlValue const& value, Prices& prices) {
  for (auto const& [model, item] : find_named(value)) {
    double price = 0;
    read_value(item, not_negative(), price);
    prices.gpu_hours.emplace_back(model, price);
  }
}

void write_prices_of_models(YamlWriter& out, Key const& key, Prices const& prices) {
  out.group(key.name, false, [&] {
    for (auto const& [model, price] : prices.gpu_hours) {
      out.value(plain_name(model), true, price, 0.0);
    }
  });
}

}  // namespace

std::string_view name(GoalKind kind) { return goal_names[static_cast<std::size_t>(kind)]; }

std::string to_text(Goal const& goal) {
  std::string const word(name(goal.kind));
  return goal.kind == GoalKind::deadline ? word + ":" + to_text(goal.deadline) : word;
}

std::optional<Goal> parse_goal(std::string_view text) {
  auto const colon = text.find(':');
  auto const word = trim(text.substr(0, colon));
  auto const found = std::ranges::find(goal_names, word);
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

std::vector<std::string> models_without_price(Prices const& prices, Pool const& pool) {
  std::vector<std::string> models;
  if (prices.gpu_hours.empty() || prices.gpu_hour > 0) return models;
  for (SiteSpec const& site : pool.sites) {
    bool const priced = std::ranges::any_of(
        prices.gpu_hours, [&](auto const& each) { return each.first == site.gpu; });
    if (site.gpu.empty() || priced || is_one_of(site.gpu, models)) continue;
    models.push_back(site.gpu);
  }
  return models;
}

void check_prices(YamlDocument& document, Prices const& prices, Pool const& pool,
                  std::vector<Problem>& notes) {
  auto const free = models_without_price(prices, pool);
  if (free.empty()) return;
  for (auto const& [model, price] : prices.gpu_hours) {
    if (std::ranges::find(pool.sites, model, &SiteSpec::gpu) != pool.sites.end()) continue;
    document.add(document.at("prices.gpu_hours"),
                 fmt::format("prices.gpu_hours: no site has {}", model),
                 fmt::format("{} would be free", free.front()),
                 "Name each model as the pool does, or state prices.gpu_hour for all others.");
  }
  add_problem(notes, document.at("prices.gpu_hours"),
              fmt::format("prices.gpu_hours: no price of {}", fmt::join(free, ", ")),
              "their hours count as free", "State prices.gpu_hour for all others.");
}

Table<Preferences> const& preferences_table() {
  static Table<Preferences> const table =
      Table<Preferences>("The preferences of the campaign's owner")
          .add({"goal", Form::text,
                std::string("The first criterion of a comparison: ") + goal_forms, false,
                to_text(Goal())},
               read_goal,
               [](YamlWriter& out, Key const& key, Preferences const& preferences) {
                 auto const& goal = preferences.goal;
                 out.value(key.name, false, to_text(goal), to_text(Goal()));
               })
          .optional("wanted", &Preferences::wanted, "Share of the jobs that have to succeed",
                    share())
          .optional("margin", &Preferences::margin,
                    "Relative difference within which strategies count as equal", between(0, 0.5));
  return table;
}

Table<Prices> const& prices_table() {
  static Table<Prices> const table =
      Table<Prices>("Prices, for the cost of each strategy in money")
          .optional("currency", &Prices::currency, "The name of the money")
          .optional("gpu_hour", &Prices::gpu_hour, "Price of an hour of a GPU", not_negative())
          .add({"gpu_hours", Form::named_sections,
                "Price of an hour of a GPU, by its model as the pool's sites name it"},
               read_prices_of_models, write_prices_of_models)
          .optional("terabyte", &Prices::terabyte,
                    "Price of a TB of input; each job that ended and each eviction has one input",
                    not_negative())
          .optional("person_hour", &Prices::person_hour,
                    "Price of an hour of the `work` of people that a strategy takes",
                    not_negative());
  return table;
}

}  // namespace gridcast::scenario
