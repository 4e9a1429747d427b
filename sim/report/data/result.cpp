#include "sim/report/data/result.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "gridcast_version.hpp"
#include "sim/base/json_fields.hpp"
#include "sim/base/statistics.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/text/ledger_text.hpp"
#include "sim/report/text/reason_words.hpp"

namespace gridcast::report {
namespace {

ResultFigures figures_of(std::vector<ledger::MetricValue> const& metrics) {
  ResultFigures figures;
  for (auto const& metric : metrics) {
    figures[std::string(metric.name)] = metric.available ? in_millionths(metric.value) : nan;
  }
  return figures;
}

ResultFigures figures_of(ledger::TimeClasses const& classes) {
  ResultFigures figures;
  for (auto const c : ledger::all_time_classes()) {
    figures[std::string(name(c)) + "_s"] = in_millionths(classes[c].value());
  }
  return figures;
}

std::vector<ResultReason> reasons_of(ledger::Ledger const& ledger) {
  std::vector<ResultReason> reasons;
  for (auto const& row : ledger.endings) {
    ReasonWords const words = words_of(row.ending, ledger.batch_system);
    auto const& ending = row.ending;
    reasons.push_back({std::string(ending_word(ending.kind)), words.what, words.advice, ending.code,
                       ending.subcode, ending.exit_code, std::string(name(ending.reason)),
                       static_cast<double>(row.times), static_cast<double>(row.jobs),
                       Seconds(in_millionths(row.slot_time_lost.value())),
                       Seconds(in_millionths(row.held.value()))});
  }
  return reasons;
}

ResultJob job_of(ledger::Ledger const& ledger, std::size_t j) {
  ledger::JobAccount const& job = ledger.jobs[j];
  ResultJob result{history::name_of_job(ledger.job_names, ledger.own_names, j),
                   std::string(name(job.standing)),
                   "",
                   {},
                   {}};
  if (job.last_site.valid()) result.site = ledger.site_names[job.last_site.index()];
  auto const count = [&](std::string const& key, std::size_t n) {
    result.figures[key] = static_cast<double>(n);
  };
  count("stalls", job.stalls);
  count("holds", job.holds);
  if (!ledger.retries_opaque) {
    count("attempts", job.attempts);
    count("executions", job.executions);
  }
  auto const time = [&](std::string const& key, std::optional<Seconds> t) {
    result.figures[key] = t ? in_millionths(t->value()) : nan;
  };
  time("transfer_retried_s", job.retried);
  time("transfer_last_s", job.last_transfer);
  time("execute_last_s", job.final_execution);
  time("match_to_done_s", job.match_to_done);
  if (ledger.dated) result.classes = figures_of(job.classes);
  return result;
}

/// The number of successes over time: at each success, or with very many, at equal shares of them.
std::optional<study::FinishBand> finish_of(ledger::Ledger const& ledger) {
  if (!ledger.dated || !ledger.makespan) return std::nullopt;
  std::vector<double> times;
  for (auto const& job : ledger.outcomes) {
    if (job.succeeded() && job.ended_at) times.push_back(job.ended_at->value());
  }
  std::sort(times.begin(), times.end());
  constexpr std::size_t most = 400;
  study::FinishBand band;
  auto const add = [&band](double at, std::size_t succeeded) {
    band.at.emplace_back(in_millionths(at));
    band.p50.push_back(static_cast<double>(succeeded));
  };
  add(0, 0);
  for (std::size_t i = 1; i <= std::min(most, times.size()); ++i) {
    std::size_t const rank = times.size() <= most ? i : i * times.size() / most;
    add(times[rank - 1], rank);
  }
  add(ledger.makespan->value(), times.size());
  band.p05 = band.p95 = band.p50;
  return band;
}

SiteSummaries sites_of(study::StudySample const& sample) {
  SiteSummaries sites;
  auto const kept = ledger::metric_names(ledger::MetricScope::kept_site);
  std::string const first = study::site_column(kept.front(), "");
  for (auto const& column : sample.names) {
    if (!column.starts_with(first)) continue;
    auto& [site, figures] = sites.emplace_back(column.substr(first.size()), ResultSummaries());
    for (auto const& figure : kept) {
      figures[figure] = study::summarise(sample, study::site_column(figure, site));
    }
  }
  return sites;
}

ResultSummaries metric_summaries(study::StudySample const& sample) {
  ResultSummaries metrics;
  for (auto const& name : ledger::metric_names(ledger::MetricScope::replica))
    metrics[name] = summarise(sample, name);
  return metrics;
}

/// The share of replicas in which no job ever ran, and the reason.
void add_never_ran(ResultStrategy& strategy, study::StudySample const& sample, Bytes input,
                   Bytes limit) {
  auto const never = study::never_ran(sample);
  strategy.never_ran = never.share;
  if (never.why != study::NeverRan::a_job_ran) {
    strategy.why_never_ran = never_ran_words(never.why, never.cause, input, limit);
  }
}

void add_pooled(ResultStrategy& strategy, study::StudySample const& sample, int gpus_per_job) {
  for (auto const& figure : study::compared_figures()) {
    if (figure.ratio.top.empty()) continue;
    strategy.pooled[std::string(figure.name)] =
        pooled_ratio(ratio_columns(sample, figure, gpus_per_job));
  }
}

study::Spread gpu_hours_of(study::StudySample const& sample, int gpus_per_job) {
  return study::spread_of(study::ratio_columns(sample, study::deciding_figure(), gpus_per_job).top);
}

/// The parts of the spread of the main figures: ignorance and random numbers. A makespan that is
/// "never" in some replicas has no variance.
void add_spread(ResultStrategy& strategy, study::StudySample const& sample, std::size_t wanted) {
  auto const draws = column(sample, "draw");
  for (auto const& figure : study::compared_figures()) {
    auto const values =
        figure.name == "makespan_s" ? makespans(sample, wanted) : column(sample, figure.name);
    auto const parts = study::variance_parts(values, draws);
    if (parts) strategy.spread[std::string(figure.name)] = *parts;
  }
}

/// The weights of an explanation in the calibration.
void add_weight(ResultHypothesis& hypothesis,
                std::vector<scenario::HypothesisWeight> const& weights) {
  for (auto const& weight : weights) {
    if (scenario::name(weight.hypothesis) != hypothesis.name) continue;
    hypothesis.prior = weight.prior;
    hypothesis.log_bayes_factor = weight.log_bayes_factor;
  }
}

/// Metrics use all replicas of `all`; other figures use the replicas that all strategies finished.
std::vector<ResultStrategy> strategies_of(study::Comparison const& all,
                                          study::Comparison const& paired) {
  std::vector<ResultStrategy> strategies(all.strategies.size());
  std::size_t const wanted = study::wanted_jobs(all.samples[all.baseline], all.preferences.wanted);
  auto const standings = study::standings(paired);
  for (std::size_t s = 0; s < strategies.size(); ++s) {
    auto& strategy = strategies[s];
    auto const& sample = all.samples[s];
    strategy.name = all.strategies[s];
    if (s < all.descriptions.size()) strategy.about = all.descriptions[s].about;
    strategy.stopped = !all.stopped.empty() && all.stopped[s];
    if (s < all.beyond_record.size()) strategy.beyond_record = all.beyond_record[s];
    strategy.replicas = sample.size();
    strategy.metrics = metric_summaries(sample);
    strategy.metrics["makespan_s"] = study::summarise_times(makespans(sample, wanted));
    for (auto const& name : ledger::metric_names(ledger::MetricScope::replica)) {
      strategy.versus_baseline[name] = difference(paired, s, name);
    }
    add_pooled(strategy, sample, all.gpus_per_job);
    strategy.rank = standings[s].rank;
    strategy.enough_succeed = standings[s].enough;
    if (auto const& cause = standings[s].cause) {
      strategy.why_not_ranked = cause_words(*cause, all.input, all.input_limit);
    }
    add_never_ran(strategy, sample, all.input, all.input_limit);
    bool const differs = paired.samples[s].records != paired.samples[paired.baseline].records;
    strategy.as_baseline = s != paired.baseline && !strategy.stopped && !differs;
  }
  for (auto const& figure : study::compared_figures()) {
    std::string const name(figure.name);
    auto const shares = probability_best(paired, figure);
    for (std::size_t s = 0; s < strategies.size(); ++s) {
      strategies[s].probability_best[name] = shares[s].share;
      strategies[s].probability_best_ci95[name] = shares[s].ci95;
    }
  }
  return strategies;
}

/// Adds a strategy's replicas, and the times of their successes.
void add_replicas(ResultStrategy& strategy, study::StudySample const& sample,
                  std::vector<Seconds> const& times, std::size_t wanted) {
  auto band = finish_band(sample, times, wanted);
  if (!band.at.empty()) strategy.finish = std::move(band);
  strategy.replicas = sample.size();
  strategy.sample = sample;
}

Result head_of(study::StudyFacts const& facts, ResultKind kind) {
  Result result;
  result.kind = kind;
  result.version = version_number;
  result.scenario = facts.scenario;
  result.scenario_sha256 = facts.scenario_sha256;
  result.calibration_sha256 = facts.calibration;
  result.title = facts.title;
  result.question = facts.question;
  result.seed = facts.seed;
  result.requested = facts.requested;
  result.partial = facts.interrupted;
  result.recorded_jobs = facts.recorded_jobs;
  result.record_words = facts.record_words;
  return result;
}

/// The common part of a prediction and a replay.
Result head_of_one(study::Prediction const& prediction, ResultKind kind) {
  Result result = head_of(prediction, kind);
  result.strategy = result.baseline = prediction.strategy;
  result.replicas = prediction.sample.size();
  for (auto const& failed : prediction.failed) {
    result.failed.push_back({"", failed.replica, failed.why});
  }
  result.submitted = static_cast<std::size_t>(prediction.jobs);
  auto& strategy = result.strategies.emplace_back();
  strategy.name = prediction.strategy;
  strategy.beyond_record = prediction.beyond_record;
  strategy.about = prediction.about;
  add_replicas(strategy, prediction.sample,
               study::finish_times(study::finish_end({prediction.sample})),
               study::wanted_jobs(prediction.sample, prediction.preferences.wanted));
  return result;
}

/// The rival hypotheses behind the replicas of the only strategy.
void add_hypotheses(Result& result, study::StudySample const& sample,
                    std::function<ResultSummaries(study::StudySample const&)> const& metrics_of) {
  for (auto const& name : hypotheses(sample)) {
    auto const part = select_hypothesis(sample, name);
    ResultStrategy strategy;
    strategy.name = result.strategy;
    strategy.replicas = part.size();
    strategy.metrics = metrics_of(part);
    result.hypotheses.push_back(
        {name, posterior_probability(sample, name), part.size(), {std::move(strategy)}});
  }
}

study::Chance counted_by(ResultStrategy const& strategy, Seconds deadline) {
  std::size_t met = 0, dated = 0;
  for (double const time : study::makespans(strategy.sample, strategy.finish->wanted)) {
    if (std::isnan(time)) continue;
    ++dated;
    met += time <= deadline.value() ? 1 : 0;
  }
  return dated > 0 ? study::chance(static_cast<double>(met), dated) : study::Chance();
}

}  // namespace

std::string_view name(ResultKind kind) {
  static constexpr std::string_view names[] = {"ledger", "prediction", "replay", "comparison"};
  return names[static_cast<std::size_t>(kind)];
}

std::string to_text(study::FailedRun const& failure) {
  return fmt::format("campaign {}{}: {}", failure.replica,
                     failure.strategy.empty() ? "" : " under " + failure.strategy, failure.why);
}

void add_site(ResultLedger& part, ledger::Ledger const& ledger, std::string const& site,
              std::vector<double> executions) {
  auto& figures = part.sites[site_label(site)] =
      figures_of(metrics(ledger.sites.at(site), ledger.retries_opaque));
  figures["execute_mean_s"] = in_millionths(mean(executions));
  figures["execute_median_s"] = in_millionths(median(executions));
  auto const classes = ledger.site_classes.find(site);
  if (ledger.dated && classes != ledger.site_classes.end()) {
    part.site_classes[site_label(site)] = figures_of(classes->second);
  }
}

Result result_without_sites(ledger::Ledger const& ledger, bool with_jobs) {
  ResultLedger part;
  part.metrics = figures_of(metrics(ledger));
  part.dated = ledger.dated;
  if (ledger.dated) {
    part.classes = figures_of(ledger.classes);
    part.reasons = reasons_of(ledger);
  }
  part.with_jobs = with_jobs;
  for (std::size_t j = 0; with_jobs && j < ledger.jobs.size(); ++j) {
    part.jobs.push_back(job_of(ledger, j));
  }
  part.finish = finish_of(ledger);
  part.attempts_unrecorded = ledger.total.attempts_unrecorded;
  part.gpu_hours = in_millionths(ledger.gpu_time / hours(1));
  for (auto const& [site, time] : ledger.site_gpu_time) {
    part.site_gpu_hours[site_label(site)] = in_millionths(time / hours(1));
  }
  Result result;
  result.ledger = std::move(part);
  return result;
}

Result result_of(ledger::Ledger const& ledger, bool with_jobs) {
  Result result = result_without_sites(ledger, with_jobs);
  auto executions = successful_executions(ledger);
  for (auto const& [site, lines] : ledger.sites) {
    add_site(*result.ledger, ledger, site, std::move(executions[site]));
  }
  return result;
}

Result result_of(study::Comparison const& all) {
  auto const paired = complete(all);
  auto const& of_baseline = paired.samples[paired.baseline];
  Result result = head_of(all, ResultKind::comparison);
  result.baseline = all.strategies[all.baseline];
  result.asked = all.asked;
  result.replicas = of_baseline.size();
  result.failed = all.failed;
  result.strategies = strategies_of(all, paired);
  auto const times = study::finish_times(study::finish_end(all.samples));
  std::size_t const wanted = study::wanted_jobs(all.samples[all.baseline], all.preferences.wanted);
  for (std::size_t s = 0; s < result.strategies.size(); ++s) {
    add_replicas(result.strategies[s], all.samples[s], times, wanted);
    add_spread(result.strategies[s], all.samples[s], wanted);
    result.strategies[s].gpu_hours = gpu_hours_of(all.samples[s], all.gpus_per_job);
    result.strategies[s].sites = sites_of(all.samples[s]);
    result.strategies[s].complete = paired.samples[s];
  }
  for (auto const& name : hypotheses(of_baseline)) {
    auto const part = select_hypothesis(paired, name);
    result.hypotheses.push_back({name, posterior_probability(of_baseline, name),
                                 part.samples[part.baseline].size(),
                                 strategies_of(select_hypothesis(all, name), part)});
    add_weight(result.hypotheses.back(), all.weights);
  }
  result.no_stalls = all.no_stalls;
  if (result.replicas == 0) return result;
  result.choice = study::choose(paired);
  result.parameter_values = study::parameter_values(paired, *result.choice);
  return result;
}

Result result_of(study::Prediction const& prediction,
                 std::optional<study::RecordComparison> against) {
  Result result = head_of_one(prediction, ResultKind::prediction);
  auto const& sample = prediction.sample;
  auto& strategy = result.strategies.front();
  strategy.metrics = metric_summaries(sample);
  strategy.sites = sites_of(sample);
  add_pooled(strategy, sample, prediction.gpus_per_job);
  strategy.gpu_hours = gpu_hours_of(sample, prediction.gpus_per_job);
  add_never_ran(strategy, sample, prediction.input, prediction.input_limit);
  add_spread(strategy, sample, study::wanted_jobs(sample, prediction.preferences.wanted));
  add_hypotheses(result, sample, metric_summaries);
  for (auto& hypothesis : result.hypotheses) add_weight(hypothesis, prediction.weights);
  result.against = std::move(against);
  return result;
}

void set_ends(Result& result, Seconds horizon) {
  for (ResultStrategy& strategy : result.strategies) {
    strategy.ends = {horizon};
    for (double const makespan : study::column(strategy.sample, "makespan_s")) {
      if (makespan >= horizon.value()) {
        ++strategy.ends.at_horizon;
      } else if (makespan >= scenario::longest_in_queue.value()) {
        ++strategy.ends.queue_limit;
      }
    }
  }
}

Result replay_result(study::Prediction const& replay, study::RecordComparison rows) {
  Result result = head_of_one(replay, ResultKind::replay);
  auto const& sample = replay.sample;
  result.deterministic = deterministic(sample);
  result.sites_by_events = sites_of(sample);
  auto& strategy = result.strategies.front();
  for (auto const& row : rows.figures) strategy.metrics[row.name] = row.predicted;
  add_hypotheses(result, sample, [&](study::StudySample const& part) {
    ResultSummaries metrics;
    for (auto const& row : rows.figures) {
      metrics[row.name] = summarise(part, std::string(study::through_table) + row.name);
    }
    return metrics;
  });
  rows.sites.clear();  // figures of rows are known for the whole campaign only
  result.against = std::move(rows);
  return result;
}
double figure(ResultFigures const& figures, std::string_view name) {
  return value_or(figures, std::string(name), nan);
}

study::Summary summary(ResultSummaries const& summaries, std::string_view name) {
  return value_or(summaries, std::string(name), study::summarise(std::vector<double>()));
}

ResultStrategy const* baseline(Result const& result) {
  for (auto const& strategy : result.strategies) {
    if (strategy.name == result.baseline) return &strategy;
  }
  return result.strategies.empty() ? nullptr : &result.strategies.front();
}

bool some_stopped(Result const& result) {
  return std::ranges::any_of(result.strategies, [](auto const& each) { return each.stopped; });
}

std::size_t jobs(Result const& result) {
  auto const* strategy = baseline(result);
  double n = nan;
  if (result.ledger) n = figure(result.ledger->metrics, "jobs");
  if (strategy != nullptr) n = summary(strategy->metrics, "jobs").mean;
  return std::isfinite(n) && n > 0 ? static_cast<std::size_t>(std::lround(n)) : 0;
}

bool is_best_under(Result const& result, std::size_t strategy, std::size_t explanation) {
  if (!result.choice) return false;
  auto const& under = result.choice->strategies[strategy].best_under;
  return contains(under, explanation);
}

double share_by(std::vector<Seconds> const& q, Seconds time) {
  if (q.size() < 2) return nan;
  if (time < q.front()) return 0;
  if (time >= q.back()) return 1;
  auto const above = std::upper_bound(q.begin(), q.end(), time);
  auto const i = static_cast<double>(above - q.begin() - 1);
  // There is nothing between the last success and never.
  bool const never = std::isinf(above->value());
  double const part = never ? 0 : (time - *(above - 1)) / (*above - *(above - 1));
  return (i + part) / static_cast<double>(q.size() - 1);
}

std::optional<Seconds> asked_deadline(Result const& result) {
  bool const of_goal =
      result.choice && result.choice->preferences.goal.kind == scenario::GoalKind::deadline;
  if (result.deadline || !of_goal) return result.deadline;
  return result.choice->preferences.goal.deadline;
}

void ask_deadline(Result& result, std::optional<Seconds> deadline) {
  result.deadline = deadline;
  for (ResultStrategy& strategy : result.strategies) {
    strategy.by_deadline.reset();
    if (!deadline || !strategy.finish) continue;
    strategy.by_deadline = {*deadline, met_by(result, strategy, *deadline)};
  }
}

void answer_owner(Result& result, study::Prediction const& prediction,
                  scenario::Scenario const& scenario) {
  if (scenario.prices.any()) {
    result.money = study::money_of(prediction, scenario, scenario.strategy(prediction.strategy));
    result.currency = scenario.prices.currency;
  }
  auto const& goal = scenario.study.preferences.goal;
  bool const of_goal = goal.kind == scenario::GoalKind::deadline && !result.deadline;
  if (of_goal) ask_deadline(result, goal.deadline);
}

study::Chance met_by(Result const& result, ResultStrategy const& strategy, Seconds deadline) {
  if (!strategy.finish) return {};
  auto const& asked = strategy.by_deadline;
  if (asked && asked->at == deadline) return asked->met;
  if (strategy.sample.size() > 0) return counted_by(strategy, deadline);
  double const share = share_by(strategy.finish->reached, deadline);
  std::size_t const replicas = strategy.replicas > 0 ? strategy.replicas : result.replicas;
  if (std::isnan(share)) return {};
  return study::chance(std::round(share * static_cast<double>(replicas)), replicas);
}

}  // namespace gridcast::report
