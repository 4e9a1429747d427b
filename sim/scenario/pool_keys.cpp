#include "sim/scenario/pool_keys.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace gridcast::scenario {
namespace {

template <class Known>
bool in_all_draws(Calibration const& calibration, Known ParameterDraw::*known) {
  auto const& draws = calibration.draws;
  return !draws.empty() && std::all_of(draws.begin(), draws.end(), [&](ParameterDraw const& draw) {
    return (draw.*known).has_value();
  });
}

/// What idle jobs accept is looked at again at each interval, whatever the delay of a match.
bool any_is_choosy(std::vector<Strategy> const& strategies) {
  return std::any_of(strategies.begin(), strategies.end(), [](Strategy const& strategy) {
    return strategy.match.avoids_sites() || strategy.retry.policy.requirements;
  });
}

struct Replaced {
  char const* key;
  char const* column;  // to set instead
  std::string why;
};

std::vector<Replaced> replaced_keys(Scenario const& scenario) {
  std::vector<Replaced> replaced;
  Calibration const& calibration = scenario.calibration;
  if (in_all_draws(calibration, &ParameterDraw::match_delay)) {
    std::string const why = fmt::format(
        "{} tells match_delay, from a free slot to the shadow's start, and no cycles are simulated",
        calibration.file);
    char const* const column = "match_delay_scale_s";
    if (!any_is_choosy(scenario.strategies))
      replaced.push_back({"negotiator.interval", column, why});
    replaced.push_back({"access_point.shadow_start_interval", column, why});
  }
  if (in_all_draws(calibration, &ParameterDraw::pilot_replacement)) {
    char const* const column = "pilot_replacement_s";
    replaced.push_back(
        {"pilots.replacement", column, fmt::format("{} tells {}", calibration.file, column)});
  }
  return replaced;
}

}  // namespace

std::vector<Problem> keys_without_effect(YamlDocument& document, YamlDocument const& pool,
                                         OverridesByFile const& overrides,
                                         Scenario const& scenario) {
  std::vector<Problem> notes;
  for (Replaced const& each : replaced_keys(scenario)) {
    if (!pool.has(each.key)) continue;
    std::string hint = fmt::format("Set calibration.{} instead.", each.column);
    auto const set = std::find_if(overrides.pool.begin(), overrides.pool.end(),
                                  [&](Override const& of) { return of.path == each.key; });
    if (set != overrides.pool.end()) {
      document.add({set->option}, "has no effect", each.why, std::move(hint));
    } else {
      notes.push_back(
          {pool.at(each.key), fmt::format("{}: has no effect", each.key), each.why, hint});
    }
  }
  return notes;
}

}  // namespace gridcast::scenario
