#include "sim/study/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/scenario/draw_columns.hpp"
#include "sim/study/finish_band.hpp"
#include "sim/study/record.hpp"
#include "sim/study/rounds.hpp"

namespace gridcast::study {
namespace {

std::size_t index_of(std::vector<std::string> const& names, std::string const& name) {
  auto const found = std::find(names.begin(), names.end(), name);
  check(found != names.end(), "the baseline is one of the strategies");
  return static_cast<std::size_t>(found - names.begin());
}

/// Gives the sample the rows of `all`. A row that it does not have contains the draw alone.
void fill_rows(StudySample& sample, StudySample const& all) {
  StudySample filled{sample.names, all.replicas, {}};
  for (std::size_t i = 0, k = 0; i < all.size(); ++i) {
    if (k < sample.size() && sample.replicas[k] == all.replicas[i]) {
      filled.records.push_back(sample.records[k++]);
      continue;
    }
    Record row(sample.names.size(), not_known);
    std::copy(all.records[i].end() - columns_of_draw, all.records[i].end(),
              row.end() - columns_of_draw);
    filled.records.emplace_back(std::move(row));
  }
  sample = std::move(filled);
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

/// The most frequent of the causes, and its count.
std::pair<std::optional<history::Ending>, std::size_t> most_frequent(
    std::vector<double> const& causes) {
  std::map<double, std::size_t> times;
  for (double const cause : causes) {
    if (!std::isnan(cause)) ++times[cause];
  }
  std::pair<std::optional<history::Ending>, std::size_t> most;
  for (auto const& [cause, n] : times) {
    if (n > most.second) most = {cause_in(cause), n};
  }
  return most;
}

Bill bill_of(scenario::Scenario const& scenario) {
  Bill bill{scenario.prices, {}, scenario.campaign.input_size()};
  for (auto const& site : scenario.pool.sites) {
    bill.sites.emplace_back(site.name, scenario.prices.of_gpu(site.gpu));
  }
  return bill;
}

bool is_a_choice(scenario::Allowed allowed) {
  using scenario::Allowed;
  return allowed == Allowed::scope || allowed == Allowed::kind || allowed == Allowed::family;
}

ParameterTable parameter_table(scenario::Calibration const& calibration) {
  ParameterTable table;
  std::vector<std::size_t> numbers;
  for (std::size_t p = 0; p < calibration.columns.size(); ++p) {
    std::string const& name = calibration.columns[p];
    auto const* const draw = scenario::find_draw_column(name);
    auto const* const site = scenario::find_site_column(name.substr(0, name.find('.')));
    if ((draw == nullptr && site == nullptr) || (draw != nullptr && is_a_choice(draw->allowed))) {
      continue;
    }
    numbers.push_back(p);
    table.columns.push_back(name);
    table.meanings.push_back(draw != nullptr ? draw->help : site->help);
  }
  for (auto const& all : calibration.rows) {
    auto& row = table.rows.emplace_back();
    for (std::size_t const p : numbers) row.push_back(all[p]);
  }
  return table;
}

Comparison comparison_without_replicas(scenario::Scenario const& scenario,
                                       StudyOptions const& options) {
  Comparison comparison{facts_of(scenario, options)};
  for (auto const& strategy : scenario.strategies) {
    comparison.strategies.push_back(strategy.name);
    comparison.descriptions.push_back(strategy.description);
    comparison.beyond_record.push_back(beyond_record(scenario, strategy));
  }
  comparison.baseline = index_of(comparison.strategies, scenario.baseline);
  comparison.bill = bill_of(scenario);
  comparison.parameters =
      std::make_shared<ParameterTable const>(parameter_table(scenario.calibration));
  auto const& unidentified = scenario.calibration.record.not_identified;
  auto const stalls = unidentified.find(scenario::no_stalls);
  if (stalls != unidentified.end()) comparison.no_stalls = stalls->second;
  return comparison;
}

/// The strategy and the replica of a task.
std::pair<std::size_t, std::uint32_t> place(std::uint32_t number, std::size_t strategies) {
  return {number % strategies, static_cast<std::uint32_t>(number / strategies)};
}

void add_replicas(Comparison& comparison, std::vector<std::string> const& names,
                  StudyOptions const& options, PoolResult result) {
  std::size_t const strategies = comparison.strategies.size();
  std::vector<std::vector<std::pair<std::uint32_t, Record>>> records(strategies);
  for (auto& [number, record] : result.records) {
    auto const [strategy, replica] = place(number, strategies);
    records[strategy].emplace_back(replica, std::move(record));
  }
  for (auto& each : records) comparison.samples.push_back(make_sample(names, std::move(each)));
  for (auto& [number, why] : result.failed) {
    auto const [strategy, replica] = place(number, strategies);
    comparison.failed.push_back({comparison.strategies[strategy], replica, std::move(why)});
  }
  comparison.requested = options.replicas;
  comparison.interrupted = result.interrupted;
  comparison.trouble = std::move(result.trouble);
}

PairedDifference difference_of(Comparison const& comparison, std::size_t strategy,
                               std::string_view name) {
  auto const& own = comparison.samples[strategy];
  auto const& base = comparison.samples[comparison.baseline];
  auto const* metric = ledger::find_metric(name);
  bool const more = metric != nullptr && metric->better == ledger::Better::more;
  Wanted const wanted = more ? Wanted::more : Wanted::less;
  auto const compared = std::find_if(compared_figures().begin(), compared_figures().end(),
                                     [&](auto const& each) { return each.name == name; });
  bool const is_compared = compared != compared_figures().end();
  if (is_compared && !compared->ratio.top.empty()) {
    int const gpus = comparison.gpus_per_job;
    return pooled_difference(ratio_columns(own, *compared, gpus),
                             ratio_columns(base, *compared, gpus), wanted);
  }
  if (name == "makespan_s") {
    auto const jobs = wanted_jobs(base, comparison.preferences.wanted);
    return paired_difference(makespans(own, jobs), makespans(base, jobs), wanted);
  }
  auto values = column(own, name);
  auto const of_base = column(base, name);
  auto all = paired_difference(values, of_base, wanted);
  if (!is_compared || strategy == comparison.baseline || name == "succeeded") return all;
  auto const enough = successes(comparison, strategy);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (enough[i] == Successes::too_few) values[i] = not_known;
  }
  auto result = paired_difference(values, of_base, wanted);
  // A share of all replicas, because it is not better in those with too few successes.
  double const better =
      result.n > 0 ? result.better.share * static_cast<double>(result.better.n) : 0;
  result.better = chance(better, all.better.n);
  return result;
}

}  // namespace

std::vector<ComparedFigure> const& compared_figures() {
  static std::vector<ComparedFigure> const all = [] {
    std::vector<ComparedFigure> figures;
    for (ledger::Metric const* metric : ledger::metrics_shown(ledger::ShownIn::comparison)) {
      bool const more_is_better = metric->better == ledger::Better::more;
      figures.push_back({metric->name, more_is_better, metric->ratio});
    }
    return figures;
  }();
  return all;
}

ComparedFigure const& deciding_figure() {
  auto const found = std::find_if(
      compared_figures().begin(), compared_figures().end(),
      [](ComparedFigure const& figure) { return figure.name == ledger::deciding_metric; });
  check(found != compared_figures().end(), "strategies are compared by the deciding figure");
  return *found;
}

Comparison compare(scenario::Scenario const& scenario, StudyOptions const& options) {
  Comparison comparison = comparison_without_replicas(scenario, options);
  auto const names = record_names(site_names(scenario));
  std::string const what = std::string(what_is_compared) + (options.all ? " all" : "");
  auto const journal = open_journal(scenario, options, names, what);
  run_in_rounds(
      comparison, names, options,
      [&](std::size_t strategy, std::uint32_t replica) {
        return predict_replica(scenario, scenario.strategies[strategy], options.seed, replica,
                               options.simulation);
      },
      journal.get());
  return comparison;
}

Comparison compare_growing(scenario::Scenario const& scenario, StudyOptions const& options,
                           std::function<void(Comparison const&)> const& seen) {
  constexpr std::size_t few = 10;
  return grow<Comparison>(
      options, few, first_look, [&](StudyOptions const& part) { return compare(scenario, part); },
      seen);
}

Comparison comparison_of(scenario::Scenario const& scenario, StudyOptions const& options,
                         PoolResult simulated) {
  Comparison comparison = comparison_without_replicas(scenario, options);
  add_replicas(comparison, record_names(site_names(scenario)), options, std::move(simulated));
  stop_losers(comparison, options);
  return comparison;
}

void run_strategies(Comparison& comparison, std::vector<std::string> const& names,
                    StudyOptions const& options, StrategyTask const& task, Journal* journal) {
  std::size_t const strategies = comparison.strategies.size();
  add_replicas(comparison, names, options,
               run_replicas(
                   options.replicas * strategies, options.processes,
                   [&](std::uint32_t number) {
                     auto const [strategy, replica] = place(number, strategies);
                     return task(strategy, replica);
                   },
                   options.progress, options.patience, journal));
}

Comparison complete(Comparison const& comparison) {
  auto const runs_on = [&](std::size_t s) {
    return comparison.stopped.empty() || !comparison.stopped[s];
  };
  std::map<std::uint32_t, std::size_t> seen;
  std::size_t strategies = 0;
  for (std::size_t s = 0; s < comparison.samples.size(); ++s) {
    if (!runs_on(s)) continue;
    ++strategies;
    for (auto const replica : comparison.samples[s].replicas) ++seen[replica];
  }
  Comparison result = comparison;
  for (auto& sample : result.samples) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < sample.size(); ++i) {
      if (seen[sample.replicas[i]] == strategies) rows.push_back(i);
    }
    sample = rows_of(sample, rows);
  }
  for (std::size_t s = 0; s < result.samples.size(); ++s) {
    if (!runs_on(s)) fill_rows(result.samples[s], result.samples[result.baseline]);
  }
  return result;
}

Comparison select_hypothesis(Comparison const& comparison, std::string_view hypothesis) {
  Comparison result = comparison;
  for (auto& sample : result.samples) sample = select_hypothesis(sample, hypothesis);
  return result;
}

std::vector<Successes> successes(Comparison const& complete, std::size_t strategy) {
  auto const base = column(complete.samples[complete.baseline], "succeeded");
  auto const own = column(complete.samples[strategy], "succeeded");
  std::vector<Successes> result;
  for (std::size_t i = 0; i < own.size(); ++i) {
    bool const known = !std::isnan(own[i]) && !std::isnan(base[i]);
    bool const enough = own[i] > 0 && own[i] >= as_many * base[i];
    result.push_back(!known ? Successes::unknown : enough ? Successes::enough : Successes::too_few);
  }
  return result;
}

std::vector<Standing> standings(Comparison const& complete) {
  std::vector<Standing> all;
  for (std::size_t s = 0; s < complete.samples.size(); ++s) {
    Standing& standing = all.emplace_back();
    auto const of = successes(complete, s);
    auto const enough = std::count(of.begin(), of.end(), Successes::enough);
    auto const too_few = std::count(of.begin(), of.end(), Successes::too_few);
    standing.enough =
        chance(static_cast<double>(enough), static_cast<std::size_t>(enough + too_few));
    if (s == complete.baseline || too_few <= enough) continue;
    standing.rank = Rank::too_few_succeed;
    standing.too_few_in = static_cast<std::size_t>(too_few);
    std::vector<double> causes;
    auto const numbers = column(complete.samples[s], "cause");
    for (std::size_t i = 0; i < of.size(); ++i) {
      if (of[i] == Successes::too_few) causes.push_back(numbers[i]);
    }
    std::tie(standing.cause, standing.cause_in) = most_frequent(causes);
  }
  return all;
}

NeverRanShare never_ran(StudySample const& sample) {
  auto const numbers = column(sample, "never_ran");
  auto const causes = column(sample, "cause");
  std::map<NeverRan, std::vector<double>> by_reason;
  std::size_t counted = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::isnan(numbers[i])) continue;
    ++counted;
    auto const why = static_cast<NeverRan>(numbers[i]);
    if (why != NeverRan::a_job_ran) by_reason[why].push_back(causes[i]);
  }
  NeverRanShare result;
  std::size_t replicas = 0, most = 0;
  for (auto const& [why, of] : by_reason) {
    replicas += of.size();
    if (of.size() <= most) continue;
    most = of.size();
    result.why = why;
    result.cause = most_frequent(of).first;
  }
  result.share = chance(static_cast<double>(replicas), counted);
  return result;
}

RatioColumns ratio_columns(StudySample const& sample, ComparedFigure const& figure,
                           int gpus_per_job) {
  ledger::Ratio const& ratio = figure.ratio;
  RatioColumns columns{column(sample, ratio.top), column(sample, ratio.bottom)};
  double const gpus = ratio.of_gpus ? gpus_per_job : 1;
  for (double& top : columns.top) top *= ratio.factor * gpus;
  if (!ratio.of_gpus) return columns;
  // A replica knows its own GPU hours if slots and jobs have different numbers of GPUs.
  auto const each = column(sample, figure.name);
  for (std::size_t i = 0; i < columns.top.size(); ++i) {
    double const own = each[i] * columns.bottom[i];
    if (std::abs(own - columns.top[i]) > 1e-9 * columns.top[i]) columns.top[i] = own;
  }
  return columns;
}

PairedDifference difference(Comparison const& comparison, std::size_t strategy,
                            std::string_view name) {
  auto result = difference_of(comparison, strategy, name);
  // The baseline differs from itself by exactly zero.
  if (strategy == comparison.baseline && result.n > 0) result.ci95 = {0, 0};
  return result;
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

std::vector<Chance> probability_best(Comparison const& comparison, ComparedFigure const& figure) {
  std::vector<std::vector<double>> values;
  for (std::size_t s = 0; s < comparison.samples.size(); ++s) {
    auto const& sample = comparison.samples[s];
    if (figure.name == "makespan_s") {
      values.push_back(makespans(sample, wanted_jobs(comparison.samples[comparison.baseline],
                                                     comparison.preferences.wanted)));
      std::replace_if(
          values.back().begin(), values.back().end(), [](double x) { return std::isinf(x); }, nan);
      continue;
    }
    values.push_back(column(sample, figure.name));
    auto const enough = successes(comparison, s);
    for (std::size_t r = 0; r < enough.size(); ++r) {
      if (enough[r] == Successes::too_few) values.back()[r] = nan;
    }
  }
  std::size_t counted = 0;
  for (std::size_t r = 0; !values.empty() && r < values.front().size(); ++r) {
    counted += std::any_of(values.begin(), values.end(),
                           [r](auto const& strategy) { return !std::isnan(strategy[r]); });
  }
  std::vector<Chance> chances;
  for (double const share : share_best(values, figure.more_is_better)) {
    chances.push_back(counted > 0 ? chance(share * static_cast<double>(counted), counted)
                                  : Chance{});
  }
  return chances;
}

}  // namespace gridcast::study
