#include "sim/study/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/interrupt.hpp"
#include "sim/base/statistics.hpp"
#include "sim/scenario/draw_columns.hpp"
#include "sim/study/choice.hpp"

namespace gridcast::study {
namespace {

std::size_t index_of(std::vector<std::string> const& names, std::string const& name) {
  auto const found = std::ranges::find(names, name);
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
  if (auto const* stalls = find_in(unidentified, scenario::no_stalls))
    comparison.no_stalls = *stalls;
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
  auto const compared = std::ranges::find(compared_figures(), name, &ComparedFigure::name);
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

bool has_rounds(StudyOptions const& options) {
  return !options.all && options.replicas > 2 * first_round;
}

bool none(std::vector<bool> const& stopped) { return !contains(stopped, true); }

/// The comparison with the replicas of the first round alone.
Comparison first_of(Comparison const& comparison) {
  Comparison first = comparison;
  for (auto& sample : first.samples) {
    auto const end = std::ranges::lower_bound(sample.replicas, first_round);
    auto const n = static_cast<std::size_t>(end - sample.replicas.begin());
    sample.replicas.resize(n);
    sample.records.resize(n);
  }
  return first;
}

void cut(Comparison& comparison) {
  if (comparison.stopped.empty()) return;
  auto first = first_of(comparison);
  for (std::size_t s = 0; s < comparison.samples.size(); ++s) {
    if (comparison.stopped[s]) comparison.samples[s] = std::move(first.samples[s]);
  }
}

/// The number of replicas of all strategies.
std::size_t simulated(Comparison const& comparison) {
  return sum_of<std::size_t>(comparison.samples, [](auto const& sample) { return sample.size(); });
}

void stop(Comparison& comparison, std::vector<bool> stopped) {
  if (!none(stopped)) comparison.stopped = std::move(stopped);
}

/// By more than the margin and four standard errors.
bool is_worse(Comparison const& first, Choice const& choice, std::size_t strategy) {
  constexpr double errors = 4;
  auto const goal = first.preferences.goal.kind;
  auto const best = goal_scores(first, choice.best, goal), own = goal_scores(first, strategy, goal);
  std::vector<double> behind, level;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (std::isnan(own[i]) || std::isnan(best[i])) continue;
    behind.push_back(best[i] - own[i]);
    level.push_back(best[i]);
  }
  if (behind.size() < 2) return false;
  double const error = standard_deviation(behind) / std::sqrt(count(behind.size()));
  return mean(behind) - errors * error > choice.preferences.margin * mean(level);
}

/// By strategy, from a complete comparison of the first round.
std::vector<bool> cannot_win(Comparison const& first) {
  constexpr double most_of_draws = 0.05;
  std::vector<bool> stopped(first.samples.size(), false);
  Choice const choice = choose(first);
  if (choice.state == ChoiceState::no_success) return stopped;
  auto const share = [&](std::size_t s) { return choice.strategies[s].best_in_draws; };
  std::vector<std::size_t> worse;
  for (std::size_t s = 0; s < stopped.size(); ++s) {
    bool const kept = s == first.baseline || s == choice.best;
    if (!kept && is_worse(first, choice, s)) worse.push_back(s);
  }
  std::ranges::stable_sort(worse,
                           [&](std::size_t a, std::size_t b) { return share(a) < share(b); });
  double sum = 0;
  for (std::size_t const s : worse) {
    sum += share(s);
    stopped[s] = sum <= most_of_draws;
  }
  return stopped;
}

std::vector<bool> losers(Comparison const& first) {
  auto const paired = complete(first);
  bool const whole = !first.interrupted && first.trouble.empty() &&
                     paired.samples[paired.baseline].size() == first_round;
  return whole ? cannot_win(paired) : std::vector<bool>(first.samples.size(), false);
}

/// Progress over both rounds.
Progress progress_from(Progress const& progress, std::size_t least, std::size_t total) {
  if (!progress) return {};
  return [progress, least, total](std::size_t done, std::size_t failed, std::size_t) {
    progress(std::max(done, least), failed, total);
  };
}

/// Null if the replica is not in the sample.
SharedRecord const* record_of(StudySample const& sample, std::uint32_t replica) {
  auto const& all = sample.replicas;
  auto const found = std::ranges::lower_bound(all, replica);
  if (found == all.end() || *found != replica) return nullptr;
  return &sample.records[static_cast<std::size_t>(found - all.begin())];
}

}  // namespace

Bill bill_of(scenario::Scenario const& scenario) {
  Bill bill{scenario.prices,
            {},
            scenario.campaign.input_size(),
            scenario::models_without_price(scenario.prices, scenario.pool)};
  for (auto const& site : scenario.pool.sites) {
    bill.sites.emplace_back(site.name, scenario.prices.of_gpu(site.gpu));
  }
  return bill;
}

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
  auto const found =
      std::ranges::find(compared_figures(), ledger::deciding_metric, &ComparedFigure::name);
  check(found != compared_figures().end(), "strategies are compared by the deciding figure");
  return *found;
}

Comparison compare(scenario::Scenario const& scenario, StudyOptions const& options) {
  Comparison comparison = comparison_without_replicas(scenario, options);
  auto const names = record_names(site_names(scenario), options.rows);
  std::string const what = std::string(what_is_compared) + (options.all ? " all" : "");
  auto const journal = open_journal(scenario, options, names, what);
  run_in_rounds(
      comparison, names, options,
      [&](std::size_t strategy, std::uint32_t replica) {
        return predict_replica(scenario, scenario.strategies[strategy], options, replica);
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
  add_replicas(comparison, record_names(site_names(scenario), options.rows), options,
               std::move(simulated));
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
    auto const enough = std::ranges::count(of, Successes::enough);
    auto const too_few = std::ranges::count(of, Successes::too_few);
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
    counted +=
        std::ranges::any_of(values, [r](auto const& strategy) { return !std::isnan(strategy[r]); });
  }
  return each_of(share_best(values, figure.more_is_better), [&](double const share) {
    return counted > 0 ? chance(share * static_cast<double>(counted), counted) : Chance{};
  });
}

void run_in_rounds(Comparison& comparison, std::vector<std::string> const& names,
                   StudyOptions const& options, StrategyTask const& task, Journal* journal) {
  if (!has_rounds(options)) return run_strategies(comparison, names, options, task, journal);
  InterruptWatch const interrupts;  // also between the rounds
  std::size_t const strategies = comparison.strategies.size();
  std::size_t const total = options.replicas * strategies;
  StudyOptions round = options;
  round.replicas = first_round;
  round.progress = progress_from(options.progress, 0, total);
  Comparison first = comparison;
  run_strategies(first, names, round, task, journal);
  first.requested = options.replicas;
  if (first.interrupted || !first.trouble.empty()) {
    comparison = std::move(first);
    return;
  }
  auto const stopped = losers(first);
  round = options;
  round.progress = progress_from(options.progress, first_round * strategies, total);
  auto const rest = [&](std::size_t s, std::uint32_t replica) {
    if (auto const* known = record_of(first.samples[s], replica)) {
      return Record(known->begin(), known->end());
    }
    return stopped[s] && replica >= first_round ? Record(names.size(), not_known)
                                                : task(s, replica);
  };
  run_strategies(comparison, names, round, rest, journal);
  stop(comparison, stopped);
  cut(comparison);
  // An interruption while the second round repeats the first loses nothing of the first.
  if (comparison.interrupted && simulated(comparison) < simulated(first)) {
    first.interrupted = true;
    comparison = std::move(first);
  }
}

void stop_losers(Comparison& comparison, StudyOptions const& options) {
  if (!has_rounds(options)) return;
  Comparison first = first_of(comparison);
  first.interrupted = false;
  first.trouble.clear();
  stop(comparison, losers(first));
  cut(comparison);
}

}  // namespace gridcast::study
