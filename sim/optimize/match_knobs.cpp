#include "sim/optimize/match_knobs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/classad/expression.hpp"
#include "sim/ledger/black_holes.hpp"

namespace gridcast::optimize {
namespace {

using scenario::JobPolicy;
using scenario::MatchStrategy;
using scenario::RetryStrategy;
using scenario::Strategy;

/// More sites than that would be more candidates than a search can try.
constexpr std::size_t most_sites = 8;

template <std::optional<int> MatchStrategy::*member>
Knob failures_knob(std::string key) {
  Knob knob = number_knob<&Strategy::match, member>(std::move(key), {Party::owner}, 1, 3, 2);
  knob.set = [set = knob.set](Strategy& strategy, std::optional<double> value) {
    set(strategy, value);
    bool const has_time = strategy.match.avoid_site_for > Seconds();
    if (value && !has_time) strategy.match.avoid_site_for = hours(2);
  };
  return knob;
}

/// A choice between expressions of the job's policy.
template <JobPolicy::Rule JobPolicy::*member>
Knob rule_knob(std::string key, std::vector<std::string> words,
               std::vector<JobPolicy::Rule> rules) {
  return choice_knob<&Strategy::retry, &RetryStrategy::policy, member>(
      std::move(key), std::move(words), std::move(rules));
}

/// Each site left out, where there are several and not too many.
std::vector<Knob> without_a_site(scenario::Scenario const& scenario, Strategy const& current) {
  auto const& own = current.retry.policy.requirements;
  std::vector<std::string> words = {"any site"};
  std::vector<JobPolicy::Rule> rules = {own};
  for (auto const& id : scenario::matching_sites(scenario.pool, scenario.campaign)) {
    auto const& name = scenario::resource_name(scenario.pool.sites[id.index()]);
    if (is_one_of("not " + name, words)) continue;
    words.push_back("not " + name);
    auto const condition = fmt::format("GLIDEIN_ResourceName =!= \"{}\"", name);
    rules.push_back(
        classad::parse(own ? fmt::format("({}) && {}", own->text(), condition) : condition));
  }
  if (rules.size() < 3 || rules.size() > 1 + most_sites) return {};
  return {rule_knob<&JobPolicy::requirements>("match.requirements", std::move(words),
                                              std::move(rules))};
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
  return {choice_knob<&Strategy::match, &MatchStrategy::avoid_hosts>(
      "match.avoid_hosts", std::move(words), std::move(avoided))};
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
  for (auto const& id : scenario::matching_sites(scenario.pool, scenario.campaign)) {
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
  std::vector<JobPolicy::Rule> ranks = {std::nullopt};
  std::vector<std::string> words = {"any slot"};
  auto const add = [&](std::string word, std::string const& rank) {
    words.push_back(std::move(word));
    ranks.push_back(classad::parse(rank));
  };
  if (!scenario::without_gpus(scenario.campaign)) add("GPUs_Capability", "GPUs_Capability");
  auto const by_success = rank_by_success(scenario);
  if (!by_success.empty()) add("past success", by_success);
  if (ranks.size() == 1) return {};
  return {rule_knob<&JobPolicy::rank>("match.rank", std::move(words), std::move(ranks))};
}

}  // namespace

std::vector<Knob> match_knobs(scenario::Scenario const& scenario, Strategy const& current) {
  std::vector<Knob> knobs = {
      failures_knob<&MatchStrategy::avoid_site_after_stalls>("match.avoid_site.after_stalls"),
      failures_knob<&MatchStrategy::avoid_site_after_failures>("match.avoid_site.after_failures"),
      number_knob<&Strategy::match, &MatchStrategy::avoid_site_for>(
          "match.avoid_site.for", {Party::owner}, minutes(10).value(), hours(24).value(),
          hours(2).value())};
  knobs.back().applies = [](Strategy const& strategy) { return strategy.match.avoids_sites(); };
  for (Knob& knob : without_a_site(scenario, current)) knobs.push_back(std::move(knob));
  for (Knob& knob : without_black_holes(scenario, current)) knobs.push_back(std::move(knob));
  for (Knob& knob : rank_knobs(scenario, current)) knobs.push_back(std::move(knob));
  return knobs;
}

}  // namespace gridcast::optimize
