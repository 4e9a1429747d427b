#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/classad/expression.hpp"
#include "sim/ledger/black_holes.hpp"
#include "sim/optimize/knob.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/submit_strategy.hpp"

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

/// The work of a job at a site in a draw.
Seconds work_at(scenario::Scenario const& scenario, scenario::ParameterDraw const& draw,
                scenario::SiteParameters const& at) {
  return draw.work > Seconds() ? Seconds(draw.work.value() / at.speed)
                               : Seconds(at.epoch.quantile(0.5) * scenario.campaign.work.epochs);
}

/// The probability that an attempt at the site gets its input and keeps its slot until its work is
/// done, by the means of the draws.
double success_at(scenario::Scenario const& scenario, std::string const& site) {
  double sum = 0;
  for (scenario::ParameterDraw const& draw : scenario.calibration.draws) {
    auto const found = draw.sites.find(site);
    if (found == draw.sites.end()) return 0;
    scenario::SiteParameters const& at = found->second;
    double const work = work_at(scenario, draw, at).value();
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

using scenario::Scenario;
using scenario::SubmitStrategy;

Knob queue_knob(Scenario const& scenario) {
  double const jobs = std::max(1, scenario.campaign.jobs());
  Knob knob = number_knob<&Strategy::submit, &SubmitStrategy::max_materialize>(
      "submit.max_materialize", {Party::owner}, 1, jobs, std::max(1.0, jobs / 4));
  int const now = scenario.campaign.max_materialize;
  knob.get = [now](Strategy const& strategy) -> std::optional<double> {
    int const most = strategy.submit.max_materialize.value_or(now);
    return most > 0 ? std::optional<double>(most) : std::nullopt;
  };
  knob.set = [now](Strategy& strategy, std::optional<double> value) {
    int const most = static_cast<int>(value.value_or(0));
    strategy.submit.max_materialize.reset();
    if (most != now) strategy.submit.max_materialize = most;
  };
  return knob;
}

/// A choice between numbers; the first is the campaign's own, which the strategy has as `own`.
template <int SubmitStrategy::*member>
Knob number_choice(std::string key, std::vector<int> numbers, int own) {
  std::vector<std::string> words;
  for (int const number : numbers) words.push_back(number == 0 ? "all" : std::to_string(number));
  numbers.front() = own;
  return choice_knob<&Strategy::submit, member>(std::move(key), std::move(words),
                                                std::move(numbers));
}

/// Groups of a tenth, a fourth and a half of the jobs.
std::vector<Knob> stage_knobs(Scenario const& scenario, Strategy const& current) {
  int const own = current.submit.jobs_at_a_time, jobs = scenario.campaign.jobs();
  std::vector<int> numbers = {own};
  for (int const group : {0, jobs / 10, jobs / 4, jobs / 2}) {
    bool const is_known = contains(numbers, group);
    if (!is_known) numbers.push_back(group);
  }
  if (numbers.size() == 1) return {};
  Knob group =
      number_choice<&SubmitStrategy::jobs_at_a_time>("submit.jobs_at_a_time", numbers, own);
  group.set = [set = group.set](Strategy& strategy, std::optional<double> value) {
    set(strategy, value);
    bool const has_pause = strategy.submit.every > Seconds();
    if (strategy.submit.jobs_at_a_time > 0 && !has_pause) strategy.submit.every = hours(2);
  };
  Knob every = number_knob<&Strategy::submit, &SubmitStrategy::every>(
      "submit.every", {Party::owner}, minutes(10).value(), days(4).value(), hours(2).value());
  every.applies = [](Strategy const& strategy) { return strategy.submit.jobs_at_a_time > 0; };
  return {group, every};
}

/// Copies of jobs are searched from a twentieth of the shortest work on.
Knob copy_knob(Scenario const& scenario) {
  constexpr double part_of_work = 0.05;
  double least = hours(1).value();
  for (scenario::ParameterDraw const& draw : scenario.calibration.draws) {
    for (auto const& [name, at] : draw.sites) {
      double const work = work_at(scenario, draw, at).value();
      if (work > 0) least = std::min(least, part_of_work * work);
    }
  }
  double const low = std::max(least, minutes(1).value());
  return number_knob<&Strategy::submit, &SubmitStrategy::second_copy_after>(
      "submit.second_copy_after", {Party::owner}, low, days(14).value(), 24 * low);
}

/// Only the catalogue knows how a workload scales.
std::vector<Knob> gpu_knobs(Scenario const& scenario, Strategy const& current) {
  auto const& request = scenario.campaign.request;
  if (!scenario.campaign.work.catalogue || request.nodes > 1 || current.submit.gpus > 0) return {};
  std::vector<int> numbers = {request.gpus};
  for (int const gpus : {1, 2, 4, 8}) {
    auto other = request;
    other.gpus = gpus;
    bool const fits = !scenario::matching_sites(scenario.pool, other).empty();
    if (fits && gpus != request.gpus) numbers.push_back(gpus);
  }
  if (numbers.size() == 1) return {};
  return {number_choice<&SubmitStrategy::gpus>("submit.gpus", numbers, 0)};
}

/// Epochs of a job, as jobs that one job computes with one input.
std::vector<Knob> epoch_knobs(Scenario const& scenario, Strategy const& current) {
  std::vector<int> numbers = {current.submit.jobs_in_one};
  for (int const in_one : {1, 2, 3, 4, 5, 8}) {
    bool const can = in_one == 1 || scenario::why_not_joined(scenario.campaign, in_one).empty();
    if (can && in_one != numbers.front()) numbers.push_back(in_one);
  }
  if (numbers.size() == 1 || !(scenario.campaign.input_size() > Bytes())) return {};
  return {number_choice<&SubmitStrategy::jobs_in_one>("submit.jobs_in_one", numbers,
                                                      current.submit.jobs_in_one)};
}

/// Parts of less than a gigabyte would make no difference.
std::vector<Knob> part_knobs(Scenario const& scenario, Strategy const& current) {
  constexpr Bytes large(2e9);
  bool const is_large =
      std::ranges::any_of(scenario.campaign.input,
                          [large](scenario::InputFile const& file) { return file.size >= large; });
  bool const by_url = current.transfer.protocol != scenario::Protocol::htcondor;
  if (!is_large || !by_url) return {};
  std::vector<int> numbers = {current.submit.input_parts};
  for (int const parts : {1, 2, 5, 10, 20}) {
    if (parts != numbers.front()) numbers.push_back(parts);
  }
  Knob knob = number_choice<&SubmitStrategy::input_parts>("submit.input_parts", numbers,
                                                          current.submit.input_parts);
  knob.with = "transfer.on_stall";  // only a part of the file then comes from the next cache
  knob.applies = [](Strategy const& strategy) {
    return strategy.training.data == scenario::DataAccess::copy;
  };
  return {knob};
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

std::vector<Knob> submit_knobs(Scenario const& scenario, Strategy const& current) {
  std::vector<Knob> knobs = {queue_knob(scenario)};
  auto const add = [&knobs](std::vector<Knob> more) {
    std::move(more.begin(), more.end(), std::back_inserter(knobs));
  };
  bool const is_dag = scenario::has_nodes(scenario.campaign);
  if (!is_dag) add(stage_knobs(scenario, current));
  add(gpu_knobs(scenario, current));
  add(epoch_knobs(scenario, current));
  add(part_knobs(scenario, current));
  if (!is_dag) knobs.push_back(copy_knob(scenario));
  return knobs;
}

}  // namespace gridcast::optimize
