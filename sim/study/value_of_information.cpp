#include "sim/study/value_of_information.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "sim/study/record.hpp"

namespace gridcast::study {
namespace {

constexpr double in_force_if_dead = 0.5;

// A comparison of very many strategies is a search, and nobody would test them all.
constexpr std::size_t most_runs = 30;

double sum_of(std::vector<double> const& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

bool is_dead(std::string_view hypothesis) {
  return hypothesis == scenario::name(scenario::Hypothesis::overload) ||
         hypothesis == scenario::name(scenario::Hypothesis::bad_path);
}

/// Figures that distinguish outages in a campaign that somebody ran.
constexpr std::string_view telling[] = {"succeeded",           "stalls", "stall_free_share",
                                        "stall_dispersion",    "holds",  "transfer_retried_s",
                                        "transfer_per_success"};

/// Values by their rank, from 0 to 1; a value that is not available is in the middle.
std::vector<double> ranks(std::vector<double> const& values) {
  std::vector<double> known = values;
  std::erase_if(known, [](double x) { return std::isnan(x); });
  std::sort(known.begin(), known.end());
  std::vector<double> result;
  for (double const x : values) {
    if (std::isnan(x) || known.empty()) {
      result.push_back(0.5);
      continue;
    }
    auto const [low, high] = std::equal_range(known.begin(), known.end(), x);
    double const below = static_cast<double>(low - known.begin());
    double const upto = static_cast<double>(high - known.begin());
    result.push_back((below + upto) / 2 / static_cast<double>(known.size()));
  }
  return result;
}

std::vector<double> telling_figure(StudySample const& sample, std::string_view name) {
  if (name != "transfer_per_success") return column(sample, name);
  auto times = column(sample, "transfer_success_s");
  auto const won = column(sample, "succeeded");
  for (std::size_t i = 0; i < times.size(); ++i)
    times[i] = won[i] > 0 ? times[i] / won[i] : not_known;
  return times;
}

/// Shares of the states among the replicas nearest to replica i, none of its own draw.
std::vector<double> shares_near(TestRuns const& runs,
                                std::vector<std::vector<double>> const& ranked, std::size_t i,
                                std::size_t states) {
  std::vector<std::pair<double, std::size_t>> others;
  for (std::size_t j = 0; j < runs.state.size(); ++j) {
    if (j == i || runs.draw[j] == runs.draw[i]) continue;
    double far = 0;
    for (auto const& figure : ranked) far += std::abs(figure[i] - figure[j]);
    others.emplace_back(far, j);
  }
  auto const wanted = static_cast<std::size_t>(std::sqrt(static_cast<double>(runs.state.size())));
  std::sort(others.begin(), others.end());
  std::size_t near = std::min(wanted, others.size());
  // Replicas that are alike in all figures stay together: their order does not matter.
  while (near > 0 && near < others.size() && others[near].first == others[near - 1].first) ++near;
  std::vector<double> shares(states, 0);
  for (std::size_t k = 0; k < near; ++k) {
    shares[runs.state[others[k].second]] += 1 / static_cast<double>(near);
  }
  return shares;
}

Observation starter_log(RegretTable const& table, Verdict const& verdict) {
  Outcome dead{"no byte came", {}}, alive{"bytes came", {}};
  for (auto const& state : verdict.states) {
    dead.likelihood.push_back(is_dead(state.name) ? 1 : 0);
    alive.likelihood.push_back(is_dead(state.name) ? 0 : 1);
  }
  auto result = observe(table, {dead, alive});
  result.kind = ObservationKind::starter_log;
  return result;
}

Observation htcondor_version(RegretTable const& table, Verdict const& verdict) {
  Outcome in_force{"23.8.1 to 25.2.0, the stall timer in force", {}}, other{"another version", {}};
  for (auto const& state : verdict.states) {
    double const p = is_dead(state.name) ? in_force_if_dead : 1;
    in_force.likelihood.push_back(p);
    other.likelihood.push_back(1 - p);
  }
  auto result = observe(table, {in_force, other});
  result.kind = ObservationKind::htcondor_version;
  return result;
}

Observation everything(RegretTable const& table, Verdict const& verdict) {
  std::vector<Outcome> each;
  for (std::size_t h = 0; h < verdict.states.size(); ++h) {
    each.push_back({verdict.states[h].name, std::vector<double>(verdict.states.size(), 0)});
    each.back().likelihood[h] = 1;
  }
  auto result = observe(table, each);
  result.kind = ObservationKind::everything;
  return result;
}

/// The strategy whose run would show most; nothing if none shows anything, or if nothing is open.
std::optional<std::size_t> most_telling(Comparison const& comparison) {
  if (comparison.interrupted || !comparison.failed.empty()) return std::nullopt;
  if (comparison.samples.empty() || comparison.samples.front().size() == 0) return std::nullopt;
  auto const paired = complete(comparison);
  auto const found = verdict(paired);
  if (found.decision != Decision::undecided) return std::nullopt;
  for (auto const& each : observations(paired, found)) {
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

Observation observe(RegretTable const& table, std::vector<Outcome> const& outcomes) {
  Observation result;
  if (table.regret.empty()) return result;
  double const before =
      expected_regret(table, least_expected(table, table.posterior), table.posterior);
  double after = 0;
  for (Outcome const& outcome : outcomes) {
    std::vector<double> joint;
    for (std::size_t h = 0; h < table.posterior.size(); ++h) {
      joint.push_back(table.posterior[h] * outcome.likelihood[h]);
    }
    double const probability = sum_of(joint);
    if (!(probability > 0)) continue;
    std::size_t const row = least_expected(table, joint);
    after += expected_regret(table, row, joint);
    result.outcomes.push_back({outcome.name, probability, table.strategies[row]});
  }
  result.saving = std::max(0.0, before - after);
  return result;
}

TestRuns test_runs(StudySample const& sample, Verdict const& verdict) {
  std::map<double, std::size_t> index;
  for (std::size_t h = 0; h < verdict.states.size(); ++h) {
    for (auto const each : {scenario::Hypothesis::overload, scenario::Hypothesis::bad_path,
                            scenario::Hypothesis::slow, scenario::Hypothesis::congestion}) {
      if (scenario::name(each) == verdict.states[h].name) index[static_cast<double>(each)] = h;
    }
  }
  auto const hypothesis = column(sample, "hypothesis"), draw = column(sample, "draw");
  TestRuns runs;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < sample.size() && rows.size() < most_read; ++i) {
    auto const found = index.find(hypothesis[i]);
    if (std::isnan(hypothesis[i]) || found == index.end()) continue;
    rows.push_back(i);
    runs.state.push_back(found->second);
    runs.draw.push_back(draw[i]);
  }
  for (auto const name : telling) {
    auto const values = telling_figure(sample, name);
    auto& figure = runs.figures.emplace_back();
    for (std::size_t const i : rows) figure.push_back(values[i]);
  }
  return runs;
}

Observation observe(RegretTable const& table, TestRuns const& runs) {
  constexpr std::size_t fewest = 20;
  Observation result;
  result.kind = ObservationKind::test_run;
  std::size_t const n = runs.state.size(), states = table.posterior.size();
  if (table.regret.empty() || n < fewest) return result;
  std::vector<std::vector<double>> ranked;
  for (auto const& figure : runs.figures) ranked.push_back(ranks(figure));
  std::size_t const now = least_expected(table, table.posterior);
  std::vector<double> saved;
  std::map<std::size_t, std::size_t> chosen;
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t const row = least_expected(table, shares_near(runs, ranked, i, states));
    ++chosen[row];
    saved.push_back(table.regret[now][runs.state[i]] - table.regret[row][runs.state[i]]);
  }
  result.saving = std::max(0.0, mean(saved));
  if (variance(saved) > 0) result.saving_ci95 = mean_interval(saved);
  for (auto const& [row, times] : chosen) {
    result.outcomes.push_back(
        {"", static_cast<double>(times) / static_cast<double>(n), table.strategies[row]});
  }
  return result;
}

std::vector<Observation> observations(Comparison const& complete, Verdict const& verdict) {
  std::vector<Observation> all;
  auto const table = regret_table(verdict);
  if (verdict.states.size() < 2 || table.regret.empty()) return all;
  bool dead = false, alive = false;
  for (auto const& state : verdict.states) (is_dead(state.name) ? dead : alive) = true;
  if (dead && alive) all = {starter_log(table, verdict), htcondor_version(table, verdict)};
  for (std::size_t s = 0; s < std::min(most_runs, complete.samples.size()); ++s) {
    if (!complete.stopped.empty() && complete.stopped[s]) continue;
    auto run = observe(table, test_runs(complete.samples[s], verdict));
    auto const jobs = column(complete.samples[s], "jobs");
    run.strategy = s;
    run.jobs =
        jobs.empty() || std::isnan(jobs.front()) ? 0 : static_cast<std::size_t>(jobs.front());
    if (run.saving > 0) all.push_back(std::move(run));
  }
  for (auto const& smaller : complete.smaller) {
    auto run = observe(table, test_runs(smaller.sample, verdict));
    run.strategy = smaller.strategy;
    run.jobs = smaller.jobs;
    all.push_back(std::move(run));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](auto const& a, auto const& b) { return a.saving > b.saving; });
  all.insert(all.begin(), everything(table, verdict));
  return all;
}

Observation const* enough_jobs(std::vector<Observation> const& all, std::size_t strategy) {
  constexpr double enough = 0.8;
  double most = 0;
  Observation const* fewest = nullptr;
  auto const is_one = [&](Observation const& each) {
    return each.kind == ObservationKind::test_run && each.strategy == strategy;
  };
  for (auto const& each : all) {
    if (is_one(each)) most = std::max(most, each.saving);
  }
  for (auto const& each : all) {
    if (!is_one(each) || !(each.saving > 0) || each.saving < enough * most) continue;
    if (fewest == nullptr || each.jobs < fewest->jobs) fewest = &each;
  }
  return fewest;
}

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
