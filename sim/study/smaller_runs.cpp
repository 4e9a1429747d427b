#include "sim/study/smaller_runs.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "sim/study/record.hpp"
#include "sim/study/value_of_information.hpp"

namespace gridcast::study {
namespace {

/// The strategy whose run would tell most; nothing where none tells, or nothing is open.
std::optional<std::size_t> most_telling(Comparison const& comparison) {
  if (comparison.interrupted || !comparison.failed.empty()) return std::nullopt;
  if (comparison.samples.empty() || comparison.samples.front().size() == 0) return std::nullopt;
  auto const found = verdict(comparison);
  if (found.decision != Decision::undecided) return std::nullopt;
  for (auto const& each : observations(comparison, found)) {
    if (each.kind == ObservationKind::test_run) return each.strategy;
  }
  return std::nullopt;
}

std::vector<int> sizes_of(int jobs) {
  constexpr int fewest = 2;
  std::set<int> sizes;
  for (int const part : {10, 4, 2}) {
    if (jobs / part >= fewest) sizes.insert(jobs / part);
  }
  return {sizes.begin(), sizes.end()};
}

}  // namespace

scenario::Campaign first_jobs(scenario::Campaign campaign, int jobs) {
  for (auto& submission : campaign.submit) {
    submission.jobs = std::min(submission.jobs, jobs);
    jobs -= submission.jobs;
  }
  std::erase_if(campaign.submit, [](auto const& submission) { return submission.jobs == 0; });
  return campaign;
}

scenario::Scenario with_first_jobs(scenario::Scenario scenario, int jobs) {
  scenario.campaign = first_jobs(scenario.campaign, jobs);
  return scenario;
}

std::optional<SmallerRuns> smaller_runs(Comparison const& comparison,
                                        scenario::Scenario const& scenario) {
  auto const strategy = most_telling(comparison);
  if (!strategy) return std::nullopt;
  SmallerRuns runs{*strategy, sizes_of(scenario.campaign.jobs()),
                   std::min(comparison.requested, most_read)};
  if (runs.jobs.empty()) return std::nullopt;
  return runs;
}

void add_smaller_runs(Comparison& comparison, scenario::Scenario const& scenario,
                      StudyOptions const& options) {
  auto const runs = smaller_runs(comparison, scenario);
  if (!runs) return;
  auto const names = record_names(site_names(scenario));
  for (int const jobs : runs->jobs) {
    scenario::Scenario const part = with_first_jobs(scenario, jobs);
    auto result = run_replicas(
        runs->replicas, options.processes,
        [&](std::uint32_t replica) {
          return predict_replica(part, part.strategies[runs->strategy], options.seed, replica,
                                 options.simulation);
        },
        {}, options.patience);
    if (result.interrupted) return;
    comparison.smaller.push_back({runs->strategy, static_cast<std::size_t>(jobs),
                                  make_sample(names, std::move(result.records))});
  }
}

}  // namespace gridcast::study
