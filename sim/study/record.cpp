#include "sim/study/record.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/history/attempts.hpp"
#include "sim/history/job_table.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/node_order.hpp"

namespace gridcast::study {
namespace {

void append(Record& record, std::vector<ledger::MetricValue> const& figures) {
  for (auto const& figure : figures) record.push_back(figure.available ? figure.value : nan);
}

/// The figures of one site; zeros if no job was there.
void append_site(Record& record, ledger::Ledger const& ledger, std::string const& site) {
  auto const found = ledger.sites.find(site);
  append(record,
         ledger::metrics(found == ledger.sites.end() ? ledger::LedgerLines() : found->second,
                         ledger.retries_opaque, ledger::MetricScope::kept_site));
}

/// Median final execution of the jobs that succeeded at each site.
void append_executions(Record& record, ledger::Ledger const& ledger,
                       std::vector<std::string> const& sites) {
  auto executions = ledger::successful_executions(ledger);
  for (auto const& site : sites) record.push_back(median(std::move(executions[site])));
}

void append_finish(Record& record, ledger::Ledger const& ledger) {
  std::vector<double> times;
  for (auto const& job : ledger.outcomes) {
    if (job.succeeded() && job.ended_at.known()) times.push_back((*job.ended_at).value());
  }
  std::sort(times.begin(), times.end());
  for (std::size_t step = 1; step <= finish_steps; ++step) {
    std::size_t const rank = finish_rank(step, ledger.outcomes.size());
    record.push_back(rank == 0 || rank > times.size() ? nan : times[rank - 1]);
  }
}

/// The numbers of jobs by their end, in the order of Standing.
constexpr std::size_t ledger::LedgerLines::*jobs_by_standing[] = {
    &ledger::LedgerLines::unfinished, &ledger::LedgerLines::succeeded,
    &ledger::LedgerLines::wrong_output, &ledger::LedgerLines::held, &ledger::LedgerLines::removed};

/// A job and its second copy count as one job, which succeeds if either of them does. Their time
/// counts for both.
void count_pairs(ledger::Ledger& ledger, std::size_t jobs) {
  for (std::size_t j = 0; j < jobs; ++j) {
    ledger::JobOutcome& job = ledger.outcomes[j];
    ledger::JobOutcome& copy = ledger.outcomes[jobs + j];
    if (copy.succeeded() && !job.succeeded()) std::swap(job, copy);
    --(ledger.total.*jobs_by_standing[static_cast<std::size_t>(copy.standing)]);
    --ledger.total.jobs;
  }
  ledger.outcomes.resize(jobs);
}

void count_times(ledger::LedgerLines& lines, std::size_t times) {
  lines.jobs *= times;
  for (auto const jobs : jobs_by_standing) lines.*jobs *= times;
}

/// The jobs of the ledger as jobs of the campaign.
void count_jobs(ledger::Ledger& ledger, scenario::JobCount const& count) {
  if (count.second_copies) count_pairs(ledger, ledger.outcomes.size() / 2);
  if (count.in_one == 1) return;
  count_times(ledger.total, count.in_one);
  for (auto& [site, lines] : ledger.sites) count_times(lines, count.in_one);
  std::vector<ledger::JobOutcome> outcomes;
  for (auto const& job : ledger.outcomes) outcomes.insert(outcomes.end(), count.in_one, job);
  ledger.outcomes = std::move(outcomes);
}

constexpr std::size_t steps = 80;
constexpr std::size_t percents = 100;

/// Jobs that had succeeded at a time in one replica.
double succeeded_by(SharedRecord const& record, std::size_t first, std::size_t jobs, Seconds at) {
  std::size_t done = 0;
  for (std::size_t step = 1; step <= finish_steps; ++step) {
    double const time = record[first + step - 1];
    if (std::isnan(time) || time > at.value()) break;
    done = finish_rank(step, jobs);
  }
  return static_cast<double>(done);
}

/// The kind of event that left most jobs without success, if there is a single one.
std::optional<history::EventKind> event_without_success(ledger::LedgerLines const& total) {
  std::size_t const most =
      std::max({total.wrong_output, total.held, total.removed, total.unfinished});
  if (most == 0) return std::nullopt;
  if (most == total.wrong_output) return history::EventKind::terminated;
  if (most == total.held) return history::EventKind::held;
  return std::nullopt;
}

/// The ending that left most jobs without success, if they failed or are held. Otherwise the ending
/// of most attempts and holds; among equals the one with the highest cost.
double cause_of(ledger::Ledger const& ledger) {
  auto const left_so = event_without_success(ledger.total);
  ledger::EndingAccount const* most = nullptr;
  for (auto const& row : ledger.endings) {
    if (row.ending.others) continue;
    auto const rank = [&](ledger::EndingAccount const& each) {
      return std::pair(each.ending.kind == left_so, each.times);
    };
    if (most == nullptr || rank(row) > rank(*most)) most = &row;
  }
  return most == nullptr ? nan : cause_number(most->ending);
}

/// True if jobs were only removed after a long wait, which has no reason of its own: 90 days, or
/// until the campaign's horizon.
bool only_waited(ledger::Ledger const& ledger) {
  return std::all_of(ledger.endings.begin(), ledger.endings.end(), [](auto const& row) {
    return row.ending.kind == history::EventKind::aborted &&
           row.ending.reason == history::Reason::none;
  });
}

double never_ran(ledger::Ledger const& ledger) {
  if (ledger.retries_opaque) return nan;
  auto const why = ledger.total.executions > 0 ? NeverRan::a_job_ran
                   : ledger.total.attempts > 0 ? NeverRan::attempts_failed
                   : only_waited(ledger)       ? NeverRan::not_matched
                                               : NeverRan::not_in_the_queue;
  return static_cast<double>(why);
}

// A cause as a whole number that a double represents exactly: kind, reason, code, subcode and exit
// code, each in its own range; exit codes and subcodes may be negative.
constexpr std::int64_t steps_of_reasons = 64, steps_of_codes = 4096, steps_of_exits = 1024,
                       steps_of_subcodes = 1 << 16;

constexpr double execution_tolerance = 0.05;

PlacedFigure place(StudySample const& sample, std::string_view instrument,
                   ledger::MetricValue const& observed) {
  auto values = without_nan(column(sample, std::string(instrument) + std::string(observed.name)));
  PlacedFigure placed;
  placed.name = observed.name;
  placed.observed = observed.value;
  placed.percentile_rank = percentile_rank(observed.value, values);
  placed.predicted = summarise(std::move(values));
  Interval const central90{placed.predicted.p05, placed.predicted.p95};
  placed.inside = central90.contains(observed.value);
  return placed;
}

/// Median over replicas of each site's median execution, by site.
std::map<std::string, double> predicted_executions(StudySample const& sample) {
  std::map<std::string, double> medians;
  for (auto const& name : sample.names) {
    if (!name.starts_with(execution_at)) continue;
    medians[name.substr(execution_at.size())] = summarise(sample, name).p50;
  }
  return medians;
}

std::vector<PlacedExecution> place_executions(StudySample const& sample,
                                              history::JobHistory const& history,
                                              ledger::Ledger const& ledger) {
  auto const predicted = predicted_executions(sample);
  std::vector<PlacedExecution> result;
  for (std::size_t j = 0; j < ledger.jobs.size(); ++j) {
    auto const& job = ledger.jobs[j];
    if (!job.succeeded || !job.final_execution || !job.last_site.valid()) continue;
    PlacedExecution placed;
    placed.job = name_of_job(history, Id<history::Job>(j));
    placed.site = history.sites[job.last_site.index()];
    placed.observed_s = job.final_execution->value();
    auto const found = predicted.find(placed.site);
    placed.predicted_s = found == predicted.end() ? nan : found->second;
    placed.within = std::abs(placed.observed_s - placed.predicted_s) <=
                    execution_tolerance * placed.predicted_s;
    result.push_back(std::move(placed));
  }
  return result;
}

RecordComparison compare(StudySample const& sample, history::JobHistory const& observed,
                         ledger::Ledger const& ledger, bool by_rows) {
  RecordComparison against;
  against.through_table = by_rows;
  std::string_view const instrument = by_rows ? through_table : std::string_view();
  against.jobs = ledger.jobs.size();
  for (auto const& figure : ledger::metrics(ledger, ledger::MetricScope::replica)) {
    if (figure.available) against.figures.push_back(place(sample, instrument, figure));
  }
  against.executions = place_executions(sample, observed, ledger);
  for (auto const& [site, lines] : ledger.sites) {
    for (auto const& figure : ledger::metrics(lines, ledger.retries_opaque)) {
      if (figure.available) against.sites[site][std::string(figure.name)] = figure.value;
    }
  }
  return against;
}

struct NodeTimes {
  std::optional<Seconds> submitted, ended;
  Id<history::Job> last_job;
};

/// The start and the end of each submission; jobs are in the order of the submissions.
std::vector<NodeTimes> times_of(scenario::Campaign const& campaign,
                                history::JobHistory const& history) {
  std::vector<std::size_t> node_of_job;
  for (std::size_t i = 0; i < campaign.submit.size(); ++i) {
    node_of_job.insert(node_of_job.end(), static_cast<std::size_t>(campaign.submit[i].jobs), i);
  }
  std::vector<NodeTimes> times(campaign.submit.size());
  for (history::JobEvent const& event : history.events) {
    NodeTimes& node = times[node_of_job[event.job.index()]];
    if (!node.submitted) node.submitted = event.at;
    if (node.ended && event.at < *node.ended) continue;
    node.ended = event.at;
    node.last_job = event.job;
  }
  return times;
}

std::optional<std::size_t> latest(std::vector<NodeTimes> const& times,
                                  std::vector<std::size_t> const& of) {
  std::optional<std::size_t> last;
  for (std::size_t const node : of) {
    if (times[node].ended && (!last || *times[node].ended > *times[*last].ended)) last = node;
  }
  return last;
}

/// Submissions under one limit: those of a category (MAXJOBS), or all (condor_submit_dag -maxjobs).
struct Limit {
  int most = 0;  // in the queue at a time
  std::optional<std::string> category = {};
};

std::vector<Limit> limits_of(scenario::Campaign const& campaign) {
  std::vector<Limit> limits;
  if (campaign.max_nodes > 0) limits.push_back({campaign.max_nodes});
  for (scenario::NodeCategory const& each : campaign.categories) {
    limits.push_back({each.max_jobs, each.name});
  }
  return limits;
}

/// The submissions whose end released a submission: its parents, and the earlier submissions under
/// a limit that was full until then. A delay runs in the queue.
std::vector<std::size_t> that_let_go(scenario::Campaign const& campaign,
                                     std::vector<std::size_t> const& parents,
                                     std::vector<NodeTimes> const& times, std::size_t node) {
  constexpr Seconds same(1e-3);  // times that differ by the rounding of a delay
  auto const went = [&](std::size_t i) { return *times[i].submitted - campaign.submit[i].delay; };
  std::vector<std::size_t> all = parents;
  for (Limit const& limit : limits_of(campaign)) {
    if (limit.category && *limit.category != campaign.submit[node].category) continue;
    std::vector<std::size_t> ended;
    int in_queue = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
      bool const under = !limit.category || *limit.category == campaign.submit[i].category;
      if (!under || !times[i].ended || went(i) >= went(node) - same) continue;
      in_queue += *times[i].ended >= went(node) - same;
      if (*times[i].ended <= went(node) + same) ended.push_back(i);
    }
    if (in_queue >= limit.most) all.insert(all.end(), ended.begin(), ended.end());
  }
  return all;
}

/// Adds the time of the steps' jobs by phase.
void add_phases(std::vector<CriticalStep>& path, std::map<std::size_t, std::size_t> const& step_of,
                std::vector<history::PhaseSpan> const& spans) {
  auto const each = [&](auto const& use) {
    for (history::PhaseSpan const& span : spans) {
      auto const step = step_of.find(span.job.index());
      if (step != step_of.end()) use(path[step->second], span);
    }
  };
  each([](CriticalStep& step, history::PhaseSpan const& span) {
    step.attempts = std::max(step.attempts, span.attempt);
  });
  each([](CriticalStep& step, history::PhaseSpan const& span) {
    Seconds const time = span.end - span.begin;
    if (!history::has_slot(span.phase)) {
      step.waiting += time;
    } else if (span.attempt < step.attempts) {
      step.lost += time;
    } else {
      (span.phase == history::Phase::executing ? step.computing : step.other) += time;
    }
  });
}

}  // namespace

std::string site_column(std::string_view figure, std::string_view site) {
  return std::string(at_site) + std::string(figure) + ":" + std::string(site);
}

std::size_t finish_rank(std::size_t step, std::size_t jobs) {
  return (step * jobs + finish_steps - 1) / finish_steps;
}

std::vector<std::string> record_names(std::vector<std::string> const& sites) {
  auto const plain = ledger::metric_names(ledger::MetricScope::replica);
  auto names = plain;
  for (auto const& name : plain) names.push_back(std::string(through_table) + name);
  for (auto const& site : sites) names.push_back(std::string(execution_at) + site);
  for (auto const& site : sites) {
    for (auto const& figure : ledger::metric_names(ledger::MetricScope::kept_site)) {
      names.push_back(site_column(figure, site));
    }
  }
  for (std::size_t step = 1; step <= finish_steps; ++step) {
    names.push_back(std::string(finish_of) + std::to_string(step));
  }
  for (char const* last : {"cause", "never_ran", "draw", "hypothesis"}) names.emplace_back(last);
  return names;
}

double cause_number(history::Ending const& ending) {
  auto const within = [](int value, std::int64_t all) {
    return std::clamp<std::int64_t>(value + all / 2, 0, all - 1);
  };
  std::int64_t number = static_cast<std::int64_t>(ending.kind);
  number = number * steps_of_reasons + static_cast<std::int64_t>(ending.reason);
  number = number * steps_of_codes + within(ending.code, steps_of_codes);
  number = number * steps_of_exits + within(ending.exit_code, steps_of_exits);
  number = number * steps_of_subcodes + within(ending.subcode, steps_of_subcodes);
  return static_cast<double>(number);
}

std::optional<history::Ending> cause_in(double number) {
  if (!(number >= 0)) return std::nullopt;
  auto rest = static_cast<std::int64_t>(number);
  auto const take = [&rest](std::int64_t all) {
    std::int64_t const part = rest % all;
    rest /= all;
    return part;
  };
  history::Ending ending;
  ending.subcode = static_cast<int>(take(steps_of_subcodes) - steps_of_subcodes / 2);
  ending.exit_code = static_cast<int>(take(steps_of_exits) - steps_of_exits / 2);
  ending.code = static_cast<int>(take(steps_of_codes) - steps_of_codes / 2);
  ending.reason = static_cast<history::Reason>(take(steps_of_reasons));
  ending.kind = static_cast<history::EventKind>(rest);
  return ending;
}

bool is_possible(Record const& record, std::vector<std::string> const& names) {
  // More than all seconds of a million jobs in a thousand years.
  constexpr double most = 1e18;
  if (record.size() != names.size()) return false;
  for (std::size_t i = 0; i < record.size(); ++i) {
    if (std::abs(record[i]) > most) return false;  // NaN passes: it is not available
    auto const* const metric = ledger::find_metric(names[i]);
    bool const is_count = metric && std::holds_alternative<ledger::CountLine>(metric->from);
    if (is_count && !(record[i] >= 0)) return false;
  }
  return true;
}

RecordKeeper::RecordKeeper(history::JobHistory const& names, scenario::JobCount count)
    : names_(names),
      count_(count),
      accountant_({.dated = names.dated, .jobs = names.jobs.size(), .occupied = names.occupied}),
      rows_(names),
      of_rows_({.dated = false, .jobs = names.jobs.size(), .occupied = names.occupied}) {}

void RecordKeeper::follow(history::AttemptStep const& step) {
  accountant_.add(step);
  rows_.add(step);
}

void RecordKeeper::settled(Id<history::Job> job) {
  accountant_.settle(job);
  order_.settled(job, [this](Id<history::Job> next) { account_row(next); });
}

void RecordKeeper::account_row(Id<history::Job> job) {
  row_.events.clear();
  history::add_to_history(rows_.take(job), job, row_, site_of_row_);
  for (history::JobEvent const& event : row_.events) of_rows_.add(steps_of_rows_.next(event));
  of_rows_.settle(job);
}

Record RecordKeeper::finish(std::vector<std::string> const& sites,
                            scenario::ParameterDraw const& draw, std::optional<std::size_t> row) {
  order_.finish(names_.jobs.size(), [this](Id<history::Job> job) { account_row(job); });
  row_.retries_opaque = true;
  row_.gpus_per_job = names_.gpus_per_job;
  // Releases the accounts of jobs when they are summed up.
  auto const of_rows = ledger::metrics(of_rows_.finish(row_), ledger::MetricScope::replica);
  ledger::Ledger ledger = accountant_.finish(names_);
  count_jobs(ledger, count_);
  Record record;
  append(record, ledger::metrics(ledger, ledger::MetricScope::replica));
  append(record, of_rows);
  append_executions(record, ledger, sites);
  for (auto const& site : sites) append_site(record, ledger, site);
  append_finish(record, ledger);
  record.push_back(cause_of(ledger));
  record.push_back(never_ran(ledger));
  record.push_back(row ? static_cast<double>(*row) : nan);
  auto const hypothesis = scenario::hypothesis(draw.outages);
  record.push_back(hypothesis ? static_cast<double>(*hypothesis) : nan);
  return record;
}

Record replica_figures(history::JobHistory const& history) {
  Record figures;
  append(figures, ledger::metrics(ledger::account(history), ledger::MetricScope::replica));
  return figures;
}

Record make_record(history::JobHistory const& history, std::vector<std::string> const& sites,
                   scenario::ParameterDraw const& draw, std::optional<std::size_t> row) {
  RecordKeeper keeper(history);
  for (history::JobEvent const& event : history.events) keeper.add(event);
  return keeper.finish(sites, draw, row);
}

std::vector<Seconds> finish_times(Seconds end) {
  std::vector<Seconds> times;
  for (std::size_t i = 0; i <= steps; ++i) {
    times.push_back(end * (static_cast<double>(i) / static_cast<double>(steps)));
  }
  return times;
}

Seconds finish_end(std::vector<StudySample> const& samples) {
  Seconds end;
  for (auto const& sample : samples) {
    auto const values = without_nan(column(sample, "makespan_s"));
    if (!values.empty()) end = std::max(end, Seconds(quantile(values, 0.95)));
  }
  return end;
}

std::size_t wanted_jobs(StudySample const& sample, double share) {
  constexpr double rounding = 1e-9;
  double jobs = 0;
  for (double const each : column(sample, "jobs")) jobs = each > jobs ? each : jobs;
  return static_cast<std::size_t>(std::max(1.0, std::ceil(share * jobs - rounding)));
}

std::vector<double> makespans(StudySample const& sample, std::size_t wanted) {
  std::size_t const first = column_index(sample, std::string(finish_of) + "1");
  std::size_t const jobs = column_index(sample, "jobs");
  std::size_t const ends = column_index(sample, "makespan_s");
  std::vector<double> times;
  for (auto const& record : sample.records) {
    if (std::isnan(record[jobs]) || std::isnan(record[ends])) {
      times.push_back(nan);
      continue;
    }
    auto const all = static_cast<std::size_t>(record[jobs]);
    std::size_t step = 1;
    while (step < finish_steps && finish_rank(step, all) < (wanted > 0 ? wanted : all)) ++step;
    double const time = record[first + step - 1];
    times.push_back(wanted > all || std::isnan(time) ? infinity : time);
  }
  return times;
}

StudySample with_makespans(StudySample sample, std::size_t wanted) {
  std::size_t const ends = column_index(sample, "makespan_s");
  auto const times = makespans(sample, wanted);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    Record record(sample.records[i].begin(), sample.records[i].end());
    record[ends] = times[i];
    sample.records[i] = std::move(record);
  }
  return sample;
}

FinishBand finish_band(StudySample const& sample, std::vector<Seconds> const& at,
                       std::size_t wanted) {
  FinishBand band;
  auto const ends = without_nan(column(sample, "makespan_s"));
  if (ends.empty()) return band;
  std::size_t const first = column_index(sample, std::string(finish_of) + "1");
  std::size_t const jobs = column_index(sample, "jobs");
  band.at = at;
  constexpr std::array p = {0.05, 0.5, 0.95};
  for (Seconds const time : at) {
    std::vector<double> done;
    for (auto const& record : sample.records) {
      if (std::isnan(record[jobs])) continue;
      done.push_back(succeeded_by(record, first, static_cast<std::size_t>(record[jobs]), time));
    }
    auto const q = quantiles(std::move(done), p);
    band.p05.push_back(q[0]);
    band.p50.push_back(q[1]);
    band.p95.push_back(q[2]);
  }
  std::vector<double> shares;
  for (std::size_t i = 0; i <= percents; ++i) {
    shares.push_back(static_cast<double>(i) / static_cast<double>(percents));
  }
  for (double const time : quantiles(ends, shares)) band.makespans.emplace_back(time);
  band.wanted = wanted;
  for (double const time : order_statistics(makespans(sample, wanted), shares)) {
    if (!std::isnan(time)) band.reached.emplace_back(time);
  }
  return band;
}

RecordComparison compare_with_record(StudySample const& sample,
                                     history::JobHistory const& observed) {
  return compare(sample, observed, ledger::account(observed), !observed.dated);
}

RecordComparison compare_with_replayed(StudySample const& sample,
                                       history::JobHistory const& observed) {
  ledger::Ledger ledger = ledger::account(observed);
  ledger.makespan.reset();
  ledger.client_stalls.reset();
  return compare(sample, observed, ledger, observed.retries_opaque);
}

std::vector<CriticalStep> critical_path(scenario::Campaign const& campaign,
                                        history::JobHistory const& history) {
  scenario::NodeOrder const order = scenario::node_order(campaign);
  bool const waits = std::any_of(order.parents.begin(), order.parents.end(),
                                 [](auto const& parents) { return !parents.empty(); });
  if (!waits && limits_of(campaign).empty()) return {};
  auto const times = times_of(campaign, history);
  std::vector<std::size_t> all(times.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  std::vector<CriticalStep> path;
  std::map<std::size_t, std::size_t> step_of;  // by job: from the end
  for (auto node = latest(times, all); node;
       node = latest(times, that_let_go(campaign, order.parents[*node], times, *node))) {
    CriticalStep step;
    step.name = campaign.submit[*node].name;
    step.submitted = *times[*node].submitted;
    step.ended = *times[*node].ended;
    step_of[times[*node].last_job.index()] = path.size();
    path.push_back(std::move(step));
  }
  add_phases(path, step_of, history::phases_of(history));
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace gridcast::study
