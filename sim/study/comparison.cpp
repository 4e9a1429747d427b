#include "sim/study/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/study/record.hpp"

namespace gridcast::study {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::size_t index_of(std::vector<std::string> const& names, std::string const& name) {
  auto const found = std::find(names.begin(), names.end(), name);
  check(found != names.end(), "the baseline is one of the strategies");
  return static_cast<std::size_t>(found - names.begin());
}

StudySample only(StudySample const& sample, std::function<bool(std::uint32_t)> const& wanted) {
  StudySample part{sample.names, {}, {}};
  for (std::size_t i = 0; i < sample.size(); ++i) {
    if (!wanted(sample.replicas[i])) continue;
    part.replicas.push_back(sample.replicas[i]);
    part.records.push_back(sample.records[i]);
  }
  return part;
}

/// Indices of the strategies that have the best value; empty if all values are NaN.
std::vector<std::size_t> winners(std::vector<double> const& values, bool more_is_better) {
  std::vector<std::size_t> best;
  for (std::size_t s = 0; s < values.size(); ++s) {
    if (std::isnan(values[s])) continue;
    if (!best.empty()) {
      double const lead = values[best.front()];
      if (more_is_better ? values[s] < lead : values[s] > lead) continue;
      if (values[s] != lead) best.clear();
    }
    best.push_back(s);
  }
  return best;
}

}  // namespace

std::vector<ComparedFigure> const& compared_figures() {
  static std::vector<ComparedFigure> const all = [] {
    // Makespan and badput only of those under whom as many succeed.
    constexpr std::pair<std::string_view, bool> names[] = {{"succeeded", false},
                                                           {"makespan_s", true},
                                                           {"badput_s", true},
                                                           {"goodput_fraction", false},
                                                           {"gpu_hours_per_success", false}};
    std::vector<ComparedFigure> figures;
    for (auto const& [name, only_if_as_many_succeed] : names) {
      bool const more = ledger::find_metric(name)->better == ledger::Better::more;
      figures.push_back({name, more, only_if_as_many_succeed});
    }
    return figures;
  }();
  return all;
}

Comparison compare(scenario::Scenario const& scenario, StudyOptions const& options) {
  Comparison comparison;
  comparison.scenario = scenario::arguments_of(scenario);
  comparison.scenario_sha256 = scenario.sha256;
  comparison.title = scenario.title;
  comparison.question = scenario.question;
  comparison.calibration = scenario.calibration.sha256;
  for (auto const& strategy : scenario.strategies) comparison.strategies.push_back(strategy.name);
  comparison.baseline = index_of(comparison.strategies, scenario.baseline);
  comparison.seed = options.seed;
  auto const names = record_names(site_names(scenario));
  auto const journal = open_journal(scenario, options, names, "compare");
  run_strategies(
      comparison, names, options,
      [&](std::size_t strategy, std::uint32_t replica) {
        return predict_replica(scenario, scenario.strategies[strategy], options.seed, replica,
                               options.simulation);
      },
      journal.get());
  return comparison;
}

void run_strategies(Comparison& comparison, std::vector<std::string> const& names,
                    StudyOptions const& options, StrategyTask const& task, Journal* journal) {
  std::size_t const strategies = comparison.strategies.size();
  auto const place = [strategies](std::uint32_t number) {
    return std::pair(number % strategies, static_cast<std::uint32_t>(number / strategies));
  };
  auto result = run_replicas(
      options.replicas * strategies, options.processes,
      [&](std::uint32_t number) {
        auto const [strategy, replica] = place(number);
        return task(strategy, replica);
      },
      options.progress, options.patience, journal);

  std::vector<std::vector<std::pair<std::uint32_t, Record>>> records(strategies);
  for (auto& [number, record] : result.records) {
    auto const [strategy, replica] = place(number);
    records[strategy].emplace_back(replica, std::move(record));
  }
  for (auto& each : records) comparison.samples.push_back(make_sample(names, std::move(each)));
  for (auto& [number, why] : result.failed) {
    auto const [strategy, replica] = place(number);
    comparison.failed.push_back({comparison.strategies[strategy], {replica, std::move(why)}});
  }
  comparison.requested = options.replicas;
  comparison.interrupted = result.interrupted;
  comparison.trouble = std::move(result.trouble);
}

Comparison complete(Comparison const& comparison) {
  std::map<std::uint32_t, std::size_t> seen;
  for (auto const& sample : comparison.samples) {
    for (auto const replica : sample.replicas) ++seen[replica];
  }
  Comparison result = comparison;
  for (auto& sample : result.samples) {
    sample = only(sample, [&](auto replica) { return seen[replica] == result.samples.size(); });
  }
  return result;
}

Comparison select_hypothesis(Comparison const& comparison, std::string_view hypothesis) {
  Comparison result = comparison;
  for (auto& sample : result.samples) sample = select_hypothesis(sample, hypothesis);
  return result;
}

PairedDifference paired_difference(std::vector<double> const& x, std::vector<double> const& base) {
  check(x.size() == base.size(), "paired values come in pairs");
  std::vector<double> a, b, differences;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) || std::isnan(base[i])) continue;
    a.push_back(x[i]);
    b.push_back(base[i]);
    differences.push_back(x[i] - base[i]);
  }
  double const paired = variance(differences);
  PairedDifference result;
  result.n = differences.size();
  result.mean = mean(differences);
  result.ci95 = mean_interval(differences);
  result.variance_ratio = paired > 0 ? (variance(a) + variance(b)) / paired : nan;
  return result;
}

PairedDifference difference(Comparison const& comparison, std::size_t strategy,
                            std::string_view figure) {
  return paired_difference(column(comparison.samples[strategy], figure),
                           column(comparison.samples[comparison.baseline], figure));
}

std::vector<double> share_best(std::vector<std::vector<double>> const& values,
                               bool more_is_better) {
  std::vector<double> wins(values.size(), 0);
  std::size_t const replicas = values.empty() ? 0 : values.front().size();
  double counted = 0;
  for (std::size_t i = 0; i < replicas; ++i) {
    std::vector<double> of_replica;
    for (auto const& strategy : values) of_replica.push_back(strategy[i]);
    auto const best = winners(of_replica, more_is_better);
    if (best.empty()) continue;
    counted += 1;
    for (auto const s : best) wins[s] += 1 / static_cast<double>(best.size());
  }
  for (double& share : wins) share = counted > 0 ? share / counted : nan;
  return wins;
}

std::vector<double> probability_best(Comparison const& comparison, ComparedFigure const& figure) {
  constexpr double as_many = 0.9;
  std::vector<std::vector<double>> values;
  for (auto const& sample : comparison.samples) {
    values.push_back(column(sample, figure.name));
    if (!figure.only_if_as_many_succeed) continue;
    auto const base = column(comparison.samples[comparison.baseline], "succeeded");
    auto const succeeded = column(sample, "succeeded");
    for (std::size_t r = 0; r < succeeded.size(); ++r) {
      if (succeeded[r] < as_many * base[r]) values.back()[r] = nan;
    }
  }
  return share_best(values, figure.more_is_better);
}

}  // namespace gridcast::study
