#include "sim/optimize/submit_knobs.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "sim/scenario/node_order.hpp"
#include "sim/scenario/submit_strategy.hpp"

namespace gridcast::optimize {
namespace {

using scenario::Scenario;
using scenario::Strategy;
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
    bool const is_known = std::find(numbers.begin(), numbers.end(), group) != numbers.end();
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
      std::any_of(scenario.campaign.input.begin(), scenario.campaign.input.end(),
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
  if (!is_dag) {
    knobs.push_back(number_knob<&Strategy::submit, &SubmitStrategy::second_copy_after>(
        "submit.second_copy_after", {Party::owner}, hours(1).value(), days(14).value(),
        days(1).value()));
  }
  return knobs;
}

}  // namespace gridcast::optimize
