#include "sim/study/record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/history/job_table.hpp"

namespace gridcast {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double hours_per_success(Ledger const& ledger) {
  if (ledger.total.succeeded == 0) return nan;
  return ledger.total.wallclock() / hours(1) / static_cast<double>(ledger.total.succeeded);
}

/// The earliest time at which 95 % of the jobs had ended.
double time_of_95_percent(Ledger const& ledger) {
  std::vector<double> ends;
  for (auto const& job : ledger.outcomes) {
    if (job.ended_at.known()) ends.push_back((*job.ended_at).value());
  }
  if (ends.empty() || !ledger.makespan) return nan;
  std::sort(ends.begin(), ends.end());
  auto const rank = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(ends.size())));
  return ends[rank - 1];
}

/// Share of the jobs with `least` to `most` stalls.
double stall_share(Ledger const& ledger, std::size_t least, std::size_t most) {
  auto const hits = std::count_if(
      ledger.outcomes.begin(), ledger.outcomes.end(),
      [=](JobOutcome const& job) { return job.stalls >= least && job.stalls <= most; });
  return static_cast<double>(hits) / static_cast<double>(ledger.outcomes.size());
}

double stall_dispersion(Ledger const& ledger) {
  std::vector<double> counts;
  for (auto const& job : ledger.outcomes) counts.push_back(static_cast<double>(job.stalls));
  return dispersion_index(counts);
}

void append_figures(Record& record, Ledger const& ledger) {
  for (auto const& figure : figures(ledger)) {
    record.push_back(figure.available ? figure.value : nan);
  }
}

}  // namespace

std::vector<Metric> figures(Ledger const& ledger) {
  auto result = metrics(ledger);
  auto const add = [&result](std::string_view name, double value) {
    result.push_back({name, value, !std::isnan(value)});
  };
  constexpr auto any = std::numeric_limits<std::size_t>::max();
  add("gpu_hours_per_success", hours_per_success(ledger));
  add("makespan_95_s", time_of_95_percent(ledger));
  add("stall_free_share", stall_share(ledger, 0, 0));
  add("ten_stalls_share", stall_share(ledger, 10, any));
  add("stall_dispersion", stall_dispersion(ledger));
  return result;
}

std::vector<std::string> figure_names() {
  std::vector<std::string> names;
  for (auto const& figure : figures(Ledger{})) names.emplace_back(figure.name);
  return names;
}

std::vector<std::string> record_names(std::vector<std::string> const& sites) {
  auto const plain = figure_names();
  auto names = plain;
  for (auto const& name : plain) names.push_back(std::string(through_table) + name);
  for (auto const& site : sites) names.push_back(std::string(execution_at) + site);
  names.emplace_back("stall_scope");
  return names;
}

RecordKeeper::RecordKeeper(JobHistory const& names)
    : names_(names),
      accountant_({.dated = names.dated, .jobs = names.jobs.size()}),
      rows_(names),
      of_rows_({.dated = false, .jobs = names.jobs.size()}) {}

void RecordKeeper::add(JobEvent const& event) {
  accountant_.add(event);
  rows_.add(event);
}

void RecordKeeper::settled(Id<Job> job) {
  accountant_.settle(job);
  order_.settled(job, [this](Id<Job> next) { account_row(next); });
}

void RecordKeeper::account_row(Id<Job> job) {
  row_.events.clear();
  add_to_history(rows_.take(job), job, row_);
  for (JobEvent const& event : row_.events) of_rows_.add(event);
  of_rows_.settle(job);
}

Record RecordKeeper::finish(std::vector<std::string> const& sites, World const& world) {
  order_.finish(names_.jobs.size(), [this](Id<Job> job) { account_row(job); });
  row_.retries_opaque = true;
  Ledger const ledger = accountant_.finish(names_);
  Record record;
  append_figures(record, ledger);
  append_figures(record, of_rows_.finish(row_));
  auto executions = successful_executions(ledger);
  for (auto const& site : sites) record.push_back(median(std::move(executions[site])));
  record.push_back(world.dated ? nan : static_cast<double>(world.stall.scope));
  return record;
}

Record make_record(JobHistory const& history, std::vector<std::string> const& sites,
                   World const& world) {
  RecordKeeper keeper(history);
  for (JobEvent const& event : history.events) keeper.add(event);
  return keeper.finish(sites, world);
}

}  // namespace gridcast
