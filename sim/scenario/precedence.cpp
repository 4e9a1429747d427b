#include "sim/scenario/precedence.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/text.hpp"

namespace gridcast::scenario {

namespace {

/// True if a pool's slots are as many as the record had in use.
bool is_as_seen(SiteSpec const& site, Calibration const& calibration) {
  auto const seen = calibration.record.slots_seen.find(site.name);
  return seen != calibration.record.slots_seen.end() && seen->second == site.slots;
}

/// By the site's name or by its number in the file.
bool sets(std::vector<Override> const& of_pool, std::string const& name, std::size_t number,
          std::string_view key) {
  std::string const paths[] = {fmt::format("sites.{}.{}", name, key),
                               fmt::format("sites.{}.{}", number, key),
                               fmt::format("sites[{}].{}", number, key)};
  return std::ranges::any_of(of_pool,
                             [&](Override const& each) { return contains(paths, each.path); });
}

/// Why a number of slots or GPUs that is stated of a site does nothing: the pool's own counts.
/// Empty if it does something.
std::string pool_counts(SiteSpec const& site, std::string_view column, double value,
                        Calibration const& calibration) {
  if (column != "slots" && column != "gpus") return "";
  if (site.slots > 0) {
    auto const& draws = calibration.draws;  // none if their file has errors, which are reported
    bool const drawn = draws.empty() || draws.front().sites.at(site.name).slots.has_value();
    return column == "slots" && drawn ? "" : fmt::format("the pool gives it {} slots", site.slots);
  }
  bool const fewer = column == "gpus" && value <= site.gpus;
  if (site.gpus > 0 && !fewer) return fmt::format("the pool gives it {} GPUs", site.gpus);
  return "";
}

/// Why a time of an epoch or a speed that is stated of a site does nothing: executions take their
/// work over their speed where work is known, and else epochs. Empty if it does something.
std::string other_clock(std::string_view column, Calibration const& calibration) {
  if (calibration.draws.empty()) return "";
  bool const by_work = calibration.draws.front().work > Seconds();
  if (by_work && column.starts_with("epoch_"))
    return "jobs have work, work_s, which a site does at its speed";
  bool const of_speed = column == "speed" || column == "gpus_of_speed";
  return !by_work && of_speed ? "jobs have epochs, epoch_scale_s, and no work_s" : "";
}

SiteSpec const* site_named(Pool const& pool, std::string_view name) {
  return find_by(pool.sites, name, &SiteSpec::name);
}

/// The site whose number `--set calibration.slots.SITE` or `--set pool.sites.SITE.gpus` is, if it
/// is one.
SiteSpec const* site_of_count(Pool const& pool, std::string_view path, std::string_view before,
                              std::string_view behind = "") {
  if (!path.starts_with(before) || !path.ends_with(behind)) return nullptr;
  path.remove_prefix(before.size());
  return site_named(pool, path.substr(0, path.size() - std::min(path.size(), behind.size())));
}

template <class Known>
bool in_all_draws(Calibration const& calibration, Known ParameterDraw::*known) {
  auto const& draws = calibration.draws;
  return !draws.empty() && std::ranges::all_of(draws, [&](ParameterDraw const& draw) {
    return (draw.*known).has_value();
  });
}

/// Idle jobs' accepted slots are checked again at each interval, for any delay of a match.
bool any_is_choosy(std::vector<Strategy> const& strategies) {
  return std::ranges::any_of(strategies, [](Strategy const& strategy) {
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
        "{} has match_delay, from a free slot to the shadow's start, and no cycles are simulated",
        calibration.file);
    char const* const column = "match_delay_scale_s";
    if (!any_is_choosy(scenario.strategies))
      replaced.push_back({"negotiator.interval", column, why});
    replaced.push_back({"access_point.shadow_start_interval", column, why});
  }
  if (in_all_draws(calibration, &ParameterDraw::pilot_replacement)) {
    char const* const column = "pilot_replacement_s";
    replaced.push_back(
        {"pilots.replacement", column, fmt::format("{} has {}", calibration.file, column)});
  }
  return replaced;
}

/// True if they differ by their names at most.
bool has_rules_of(Strategy strategy, Strategy const& other) {
  strategy.name = other.name;
  return strategy == other;
}

}  // namespace

void keep_record_strategy(std::string const& text, std::vector<Override> const& overrides,
                          ScenarioEntries& scenario) {
  if (!scenario.calibration.recorded) return;
  auto const is_rule = [](Override const& set) {
    return set.path.starts_with("strategies.") || set.path == "baseline";
  };
  if (!scenario.record_strategy.empty()) {
    scenario.recorded = scenario.strategy(scenario.record_strategy);
  } else if (std::ranges::any_of(overrides, is_rule)) {
    YamlDocument document(scenario.file, text);
    ScenarioEntries before;
    scenario_table().read({document, document.root(), ""}, before);
    if (document.has_problems() || before.strategies.empty()) return;
    apply_software(document, before.strategies, scenario.pool.software);
    bool const named = !before.baseline.empty();
    scenario.recorded = before.strategy(named ? before.baseline : before.strategies.front().name);
  }
  if (scenario.record_strategy.empty() || scenario.record_strategy == scenario.baseline) return;
  if (!has_rules_of(*scenario.recorded, scenario.strategy(scenario.baseline))) return;
  std::erase_if(scenario.strategies,
                [&](Strategy const& each) { return each.name == scenario.record_strategy; });
}

void choose_slots(ScenarioEntries& scenario, OverridesByFile const& overrides) {
  auto const& sites = scenario.pool.sites;
  Calibration& calibration = scenario.calibration;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (sites[i].slots == 0) continue;
    auto const stated = [&](char const* key) {
      return sets(overrides.pool, sites[i].name, i, key);
    };
    bool const of_owner = stated("slots") || stated("gpus") || !is_as_seen(sites[i], calibration);
    if (!of_owner) continue;
    for (ParameterDraw& draw : calibration.draws) {
      if (auto* at = find_in(draw.sites, sites[i].name)) at->slots.reset();
    }
  }
}

void check_stated(YamlDocument& document, ScenarioEntries const& scenario) {
  auto const& sites = scenario.pool.sites;
  for (StatedSite const& stated : scenario.stated.sites) {
    std::string const path = "parameters.sites." + stated.name;
    SiteSpec const* const site = site_named(scenario.pool, stated.name);
    if (site == nullptr) {
      document.complain(path, fmt::format("the pool has no site '{}'", stated.name), "",
                        suggestion(stated.name, names_of(sites)));
      continue;
    }
    for (auto const& [column, value] : stated.values) {
      std::string const key = fmt::format("{}.{}", path, column->name);
      std::string why = pool_counts(*site, column->name, value, scenario.calibration);
      if (!why.empty()) {
        document.complain(key, "has no effect", std::move(why), "Change it in the pool's file.");
      }
      why = other_clock(column->name, scenario.calibration);
      if (!why.empty()) document.complain(key, "has no effect", std::move(why), "Remove it.");
    }
  }
}

void check_counts_set(YamlDocument& document, OverridesByFile const& overrides,
                      Scenario const& scenario) {
  auto const no_effect = [&](Override const& set, std::string why, std::string hint) {
    document.add({set.option}, "has no effect", std::move(why), std::move(hint));
  };
  for (Override const& set : overrides.calibration) {
    for (std::string const column : {"slots", "gpus"}) {
      SiteSpec const* const site = site_of_count(scenario.pool, set.path, column + ".");
      if (site == nullptr) continue;
      auto const& of_draw = scenario.calibration.draws.front().sites.at(site->name);
      double const value = (column == "gpus" ? of_draw.gpus : of_draw.slots).value_or(0);
      std::string why = pool_counts(*site, column, value, scenario.calibration);
      if (!why.empty()) no_effect(set, std::move(why), "Change it in the pool.");
    }
  }
  int of_job = 1;
  for (Request const* each : requests_of(scenario.campaign)) of_job = std::max(of_job, each->gpus);
  for (Override const& set : overrides.pool) {
    SiteSpec const* const site = site_of_count(scenario.pool, set.path, "sites.", ".gpus");
    if (site == nullptr || site->slots == 0) continue;
    auto const number = static_cast<std::size_t>(site - scenario.pool.sites.data());
    auto const filled = std::int64_t{site->slots} * std::max(of_job, site->gpus_per_slot);
    bool const with_slots = sets(overrides.pool, site->name, number, "slots");
    bool const counts = with_slots || (site->gpus_per_slot == 0 && of_job > 1);
    if (counts && site->gpus <= filled) continue;
    std::string why = fmt::format("the pool gives it {} slots", site->slots);
    if (counts) why += fmt::format(", which {} GPUs fill", filled);
    no_effect(
        set, std::move(why),
        fmt::format("Set pool.sites.{}.slots {}.", site->name, with_slots ? "higher" : "too"));
  }
}

std::vector<Problem> keys_without_effect(YamlDocument& document, YamlDocument const& pool,
                                         OverridesByFile const& overrides,
                                         Scenario const& scenario) {
  std::vector<Problem> notes;
  for (Replaced const& each : replaced_keys(scenario)) {
    if (!pool.has(each.key)) continue;
    std::string hint = fmt::format("Set calibration.{} instead.", each.column);
    auto const set = std::ranges::find(overrides.pool, each.key, &Override::path);
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
