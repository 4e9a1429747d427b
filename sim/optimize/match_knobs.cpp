#include "sim/optimize/match_knobs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

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

/// The probability that an attempt at the site gets its input and keeps its slot until its work is
/// done, by the means of the draws.
double success_at(scenario::Scenario const& scenario, std::string const& site) {
  double sum = 0;
  for (scenario::ParameterDraw const& draw : scenario.calibration.draws) {
    auto const found = draw.sites.find(site);
    if (found == draw.sites.end()) return 0;
    scenario::SiteParameters const& at = found->second;
    double const work = draw.work > Seconds()
                            ? draw.work.value() / at.speed
                            : at.epoch.quantile(0.5) * scenario.campaign.work.epochs;
    double const starts = 1 - std::min(1.0, at.url_failure + at.url_hang);
    double const ends = (1 - at.crash) * (1 - at.stop);
    sum += starts * ends * std::exp(-at.evict_per_second * (at.unpack.value() + work));
  }
  return sum / static_cast<double>(scenario.calibration.draws.size());
}

/// A rank by the sites' past success, in per cent. Empty if they differ by less than two.
std::string rank_by_success(scenario::Scenario const& scenario) {
  constexpr int least_spread = 2;
  std::map<std::string, int> percent;
  for (auto const& id : scenario::matching_sites(scenario.pool, scenario.campaign.request)) {
    auto const& site = scenario.pool.sites[id.index()];
    percent[scenario::resource_name(site)] =
        static_cast<int>(std::lround(100 * success_at(scenario, site.name)));
  }
  if (percent.size() < 2 || percent.size() > most_sites) return "";
  std::string rank;
  int best = 0, worst = 100;
  for (auto const& [name, success] : percent) {
    best = std::max(best, success);
    worst = std::min(worst, success);
    rank += fmt::format("{}ifThenElse(GLIDEIN_ResourceName =?= \"{}\", {}, 0)",
                        rank.empty() ? "" : " + ", name, success);
  }
  return best - worst < least_spread ? "" : rank;
}

/// GPUs with the highest compute capability first, or the sites with the most success.
std::vector<Knob> rank_knobs(scenario::Scenario const& scenario, Strategy const& current) {
  if (current.retry.policy.rank) return {};
  std::vector<scenario::JobPolicy::Rule> ranks = {std::nullopt};
  Knob knob{"match.rank", {Party::owner}, Scale::choice, Unit::word};
  knob.words = {"any slot"};
  auto const add = [&](std::string word, std::string const& rank) {
    knob.words.push_back(std::move(word));
    ranks.push_back(classad::parse(rank));
  };
  if (scenario.campaign.request.gpus > 0) add("GPUs_Capability", "GPUs_Capability");
  auto const by_success = rank_by_success(scenario);
  if (!by_success.empty()) add("past success", by_success);
  if (ranks.size() == 1) return {};
  knob.low = 0;
  knob.high = static_cast<double>(ranks.size() - 1);
  knob.get = [ranks](Strategy const& strategy) {
    auto const found = std::find(ranks.begin(), ranks.end(), strategy.retry.policy.rank);
    return found == ranks.end() ? 0 : static_cast<double>(found - ranks.begin());
  };
  knob.set = [ranks](Strategy& strategy, std::optional<double> value) {
    strategy.retry.policy.rank = ranks.at(static_cast<std::size_t>(value.value_or(0)));
  };
  return {knob};
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
  for (Knob& knob : rank_knobs(scenario, current)) knobs.push_back(std::move(knob));
  return knobs;
}

}  // namespace gridcast::optimize
