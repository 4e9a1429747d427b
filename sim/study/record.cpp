#include "sim/study/record.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "sim/base/statistics.hpp"

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
  times.reserve(ledger.total.succeeded);
  for (auto const& job : ledger.outcomes) {
    if (job.succeeded() && job.ended_at) times.push_back(job.ended_at->value());
  }
  std::ranges::sort(times);
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
  return std::ranges::all_of(ledger.endings, [](auto const& row) {
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
  auto const name = std::string(instrument) + std::string(observed.name);
  auto const values = without_nan(column(sample, name));
  PlacedFigure placed{.name = std::string(observed.name),
                      .observed = observed.value,
                      .predicted = summarise(sample, name),
                      .percentile_rank = percentile_rank(observed.value, values)};
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
    if (!job.succeeded() || !job.final_execution || !job.last_site.valid()) continue;
    PlacedExecution placed{.job = name_of_job(history, Id<history::Job>(j)),
                           .site = history.sites[job.last_site.index()],
                           .observed_s = job.final_execution->value()};
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

}  // namespace

std::string site_column(std::string_view figure, std::string_view site) {
  return std::string(at_site) + std::string(figure) + ":" + std::string(site);
}

std::size_t finish_rank(std::size_t step, std::size_t jobs) {
  return (step * jobs + finish_steps - 1) / finish_steps;
}

std::vector<std::string> record_names(std::vector<std::string> const& sites, bool rows) {
  auto const plain = ledger::metric_names(ledger::MetricScope::replica);
  auto names = plain;
  for (auto const& name : plain) {
    if (rows) names.push_back(std::string(through_table) + name);
  }
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

RowAccounts::RowAccounts(history::JobHistory const& names)
    : names_(names),
      rows_(names),
      accountant_({.dated = false,
                   .lines_alone = true,
                   .jobs = names.jobs.size(),
                   .occupied = names.occupied}) {}

void RowAccounts::account(Id<history::Job> job) {
  row_.events.clear();
  history::add_to_history(rows_.take(job), job, row_, site_of_row_);
  for (history::JobEvent const& event : row_.events) accountant_.add(steps_.next(event));
  accountant_.settle(job);
}

std::vector<ledger::MetricValue> RowAccounts::finish() {
  order_.finish(names_.jobs.size(), [this](Id<history::Job> job) { account(job); });
  row_.retries_opaque = true;
  row_.gpus_per_job = names_.gpus_per_job;
  return ledger::metrics(accountant_.finish(row_), ledger::MetricScope::replica);
}

RecordKeeper::RecordKeeper(history::JobHistory const& names, scenario::JobCount count, bool rows)
    : names_(names),
      count_(count),
      accountant_({.dated = names.dated, .jobs = names.jobs.size(), .occupied = names.occupied}) {
  if (rows) rows_.emplace(names);
}

void RecordKeeper::follow(history::AttemptStep const& step) {
  accountant_.add(step);
  if (rows_) rows_->add(step);
}

void RecordKeeper::settled(Id<history::Job> job) {
  accountant_.settle(job);
  if (rows_) rows_->settled(job);
}

Record RecordKeeper::finish(std::vector<std::string> const& sites,
                            scenario::ParameterDraw const& draw, std::optional<std::size_t> row) {
  // Releases the accounts of jobs when they are summed up.
  std::optional<std::vector<ledger::MetricValue>> of_rows;
  if (rows_) of_rows = rows_->finish();
  ledger::Ledger ledger = accountant_.finish(names_);
  count_jobs(ledger, count_);
  Record record;
  append(record, ledger::metrics(ledger, ledger::MetricScope::replica));
  if (of_rows) append(record, *of_rows);
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

}  // namespace gridcast::study
