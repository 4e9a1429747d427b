// Settings of strategies that have no effect, and the remedy of each.
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/tables.hpp"
#include "sim/scenario/yaml/document.hpp"

namespace gridcast::scenario {
namespace {

/// The jobs' needs that decide about a rule for requests; null if it is no such rule.
std::vector<Bytes> const* needs_for(std::string const& path, Work const& work) {
  if (is_one_of(path, {"retry.request_memory", "retry.retry_request_memory"})) return &work.memory;
  if (is_one_of(path, {"retry.request_disk", "retry.retry_request_disk"})) return &work.disk;
  return nullptr;
}

/// Requirements move the repeated jobs, as hosts to avoid do, unless they depend on the job.
bool moves_jobs(std::string const& path, Strategy const& strategy) {
  if (path == "match.avoid_hosts") return true;
  auto const& rule = strategy.retry.policy.requirements;
  if (path != "match.requirements" || !rule || rule->reads_clock()) return false;
  return std::ranges::none_of(rule->attributes(), is_job_attribute);
}

std::string remedy_for(std::string const& path, Scenario const& scenario) {
  auto const* const needs = needs_for(path, scenario.campaign.work);
  if (needs && needs->empty())
    return "Write it into the submit file: the use of the recorded jobs then decides, if the record "
           "shows it.";
  return "--without recorded-jobs simulates it, where the calibration or campaign.work has its "
         "cause.";
}

/// A record whose own limit of jobs in the queue was the bound has no more slots than that.
void note_queue_of_record(YamlDocument const& document, Strategy const& strategy,
                          Scenario& scenario) {
  int const recorded = scenario.campaign.max_materialize;
  auto const& now = strategy.submit.max_materialize;
  if (!now || recorded == 0 || (*now != 0 && *now <= recorded)) return;
  int const slots = static_cast<int>(scenario.calibration.recorded->slots.first_free.size());
  if (!bound_by_queue(slots, recorded)) return;
  scenario.notes.push_back(
      {document.at("strategies." + strategy.name),
       fmt::format("{}: submit.max_materialize = {} cannot show more than {} jobs at a time",
                   strategy.name, *now, slots),
       fmt::format("the record had no more, as its own max_materialize was {}", recorded),
       more_slots_remedy});
}

void note_not_repeated(YamlDocument const& document, Scenario& scenario) {
  auto const& recorded = scenario.recorded_strategy();
  for (Strategy const& strategy : scenario.strategies) {
    note_queue_of_record(document, strategy, scenario);
    for (Difference const& each : strategy_table().differences(recorded, strategy)) {
      if (each.key->not_replayed.empty() || moves_jobs(each.path, strategy)) continue;
      scenario.notes.push_back({document.at("strategies." + strategy.name),
                                fmt::format("{}: {} has no effect on repeated jobs of the record",
                                            strategy.name, each.path),
                                each.key->not_replayed, remedy_for(each.path, scenario)});
    }
  }
}

/// A comparison of all keys takes longer than many a forecast.
bool has_rule_for_requests(JobPolicy const& policy) {
  return policy.request_memory || policy.request_disk || policy.retry_request_memory ||
         policy.retry_request_disk;
}

void note_unknown_needs(YamlDocument const& document, Scenario& scenario) {
  auto const& first = scenario.strategies.front();
  for (Strategy const& strategy : scenario.strategies) {
    if (!has_rule_for_requests(strategy.retry.policy)) continue;
    for (Difference const& each : strategy_table().differences(first, strategy)) {
      auto const* const needs = needs_for(each.path, scenario.campaign.work);
      if (!needs || !needs->empty()) continue;
      scenario.notes.push_back(
          {document.at("strategies." + strategy.name),
           fmt::format("{}: {} stops no job and saves none", strategy.name, each.path),
           "the needs of the jobs are not known", "campaign.work states them (memory, disk)."});
    }
  }
}

}  // namespace

bool bound_by_queue(int slots, int max_materialize) {
  constexpr double nearly = 0.9;
  return max_materialize > 0 && slots <= max_materialize && slots >= nearly * max_materialize;
}

void note_settings_without_effect(YamlDocument const& document, Scenario& scenario) {
  if (scenario.calibration.recorded) {
    note_not_repeated(document, scenario);
  } else if (!scenario.strategies.empty()) {
    note_unknown_needs(document, scenario);
  }
}

}  // namespace gridcast::scenario
