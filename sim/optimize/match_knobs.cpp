#include "sim/optimize/match_knobs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/classad/expression.hpp"
#include "sim/ledger/black_holes.hpp"

namespace gridcast::optimize {
namespace {

using scenario::Strategy;

/// More sites than that would be more candidates than a search can try.
constexpr std::size_t most_sites = 8;

Knob failures_knob(std::string key, std::optional<int> scenario::MatchStrategy::*member) {
  Knob knob{std::move(key), {Party::owner}, Scale::whole, Unit::number, 1, 3, 2, true};
  knob.get = [member](Strategy const& strategy) -> std::optional<double> {
    return strategy.match.*member;
  };
  knob.set = [member](Strategy& strategy, std::optional<double> value) {
    auto& after = strategy.match.*member;
    after.reset();
    if (value) after = static_cast<int>(*value);
    bool const has_time = strategy.match.avoid_site_for > Seconds();
    if (value && !has_time) strategy.match.avoid_site_for = hours(2);
  };
  return knob;
}

/// The current requirements, and one of `conditions` besides.
Knob requirements_knob(Strategy const& current, std::vector<std::string> words,
                       std::vector<std::string> const& conditions) {
  Knob knob{"match.requirements",
            {Party::owner},
            Scale::choice,
            Unit::word,
            0,
            static_cast<double>(conditions.size())};
  knob.words = std::move(words);
  std::vector<scenario::JobPolicy::Rule> rules = {current.retry.policy.requirements};
  for (auto const& condition : conditions) {
    auto const& own = rules.front();
    rules.push_back(
        classad::parse(own ? fmt::format("({}) && {}", own->text(), condition) : condition));
  }
  knob.get = [rules](Strategy const& strategy) {
    auto const found = std::find(rules.begin(), rules.end(), strategy.retry.policy.requirements);
    return found == rules.end() ? 0 : static_cast<double>(found - rules.begin());
  };
  knob.set = [rules](Strategy& strategy, std::optional<double> value) {
    strategy.retry.policy.requirements = rules.at(static_cast<std::size_t>(value.value_or(0)));
  };
  return knob;
}

/// Each site left out, where there are several and not too many.
std::vector<Knob> without_a_site(scenario::Scenario const& scenario, Strategy const& current) {
  std::vector<std::string> words = {"any site"}, conditions;
  for (auto const& id : scenario::matching_sites(scenario.pool, scenario.campaign.request)) {
    auto const& name = scenario::resource_name(scenario.pool.sites[id.index()]);
    auto const condition = fmt::format("GLIDEIN_ResourceName =!= \"{}\"", name);
    if (std::find(conditions.begin(), conditions.end(), condition) != conditions.end()) continue;
    words.push_back("not " + name);
    conditions.push_back(condition);
  }
  if (conditions.size() < 2 || conditions.size() > most_sites) return {};
  return {requirements_knob(current, std::move(words), conditions)};
}

/// The costliest one, two, four, ... of the record's black holes left out.
std::vector<Knob> without_black_holes(scenario::Scenario const& scenario, Strategy const& current) {
  if (!scenario.calibration.recorded || !current.match.avoid_hosts.empty()) return {};
  auto const& recorded = scenario.calibration.recorded->jobs;
  std::vector<std::vector<std::string>> avoided = {{}};
  std::vector<std::string> words = {"any host"}, hosts;
  auto const holes = ledger::find_black_holes(recorded).hosts;
  for (auto const& hole : holes) {
    hosts.push_back(hole.host);
    std::size_t const count = hosts.size();
    bool const is_power = (count & (count - 1)) == 0;
    if ((!is_power && count < holes.size()) || !has_other_hosts(recorded, hosts)) continue;
    words.push_back(count == 1 ? "not " + hole.host : fmt::format("not the {} worst", count));
    avoided.push_back(hosts);
  }
  if (avoided.size() == 1) return {};
  Knob knob{"match.avoid_hosts",
            {Party::owner},
            Scale::choice,
            Unit::word,
            0,
            static_cast<double>(avoided.size() - 1)};
  knob.words = std::move(words);
  knob.get = [avoided](Strategy const& strategy) {
    auto const found = std::find(avoided.begin(), avoided.end(), strategy.match.avoid_hosts);
    return found == avoided.end() ? 0 : static_cast<double>(found - avoided.begin());
  };
  knob.set = [avoided](Strategy& strategy, std::optional<double> value) {
    strategy.match.avoid_hosts = avoided.at(static_cast<std::size_t>(value.value_or(0)));
  };
  return {knob};
}

/// GPUs with the highest compute capability first.
Knob rank_knob() {
  Knob knob{"match.rank", {Party::owner}, Scale::choice, Unit::word, 0, 1};
  knob.words = {"any GPU", "GPUs_Capability"};
  knob.get = [](Strategy const& strategy) { return strategy.retry.policy.rank ? 1 : 0; };
  knob.set = [rule = classad::parse("GPUs_Capability")](Strategy& strategy,
                                                        std::optional<double> value) {
    auto& rank = strategy.retry.policy.rank;
    rank.reset();
    if (value.value_or(0) > 0) rank = rule;
  };
  knob.offered = [](scenario::Scenario const& of, Strategy const& current) {
    return of.campaign.request.gpus > 0 && !current.retry.policy.rank;
  };
  return knob;
}

}  // namespace

std::vector<Knob> match_knobs(scenario::Scenario const& scenario, Strategy const& current) {
  using scenario::MatchStrategy;
  std::vector<Knob> knobs = {
      failures_knob("match.avoid_site.after_stalls", &MatchStrategy::avoid_site_after_stalls),
      failures_knob("match.avoid_site.after_failures", &MatchStrategy::avoid_site_after_failures)};
  Knob time{"match.avoid_site.for", {Party::owner},    Scale::logarithmic, Unit::time,
            minutes(10).value(),    hours(24).value(), hours(2).value()};
  time.get = [](Strategy const& strategy) { return strategy.match.avoid_site_for.value(); };
  time.set = [](Strategy& strategy, std::optional<double> value) {
    strategy.match.avoid_site_for = Seconds(value.value_or(0));
  };
  time.applies = [](Strategy const& strategy) { return strategy.match.avoids_sites(); };
  knobs.push_back(time);
  for (Knob& knob : without_a_site(scenario, current)) knobs.push_back(std::move(knob));
  for (Knob& knob : without_black_holes(scenario, current)) knobs.push_back(std::move(knob));
  knobs.push_back(rank_knob());
  return knobs;
}

}  // namespace gridcast::optimize
