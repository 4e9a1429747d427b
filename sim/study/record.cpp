#include "sim/study/record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/history/job_table.hpp"

namespace gridcast::study {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double hours_per_success(ledger::Ledger const& ledger) {
  if (ledger.total.succeeded == 0) return nan;
  double const gpus = ledger.gpus_per_job;
  return gpus * (ledger.total.wallclock() / hours(1)) / static_cast<double>(ledger.total.succeeded);
}

/// The earliest time at which 95 % of the jobs had ended.
double time_of_95_percent(ledger::Ledger const& ledger) {
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
double stall_share(ledger::Ledger const& ledger, std::size_t least, std::size_t most) {
  auto const hits = std::count_if(
      ledger.outcomes.begin(), ledger.outcomes.end(),
      [=](ledger::JobOutcome const& job) { return job.stalls >= least && job.stalls <= most; });
  return static_cast<double>(hits) / static_cast<double>(ledger.outcomes.size());
}

double stall_dispersion(ledger::Ledger const& ledger) {
  std::vector<double> counts;
  for (auto const& job : ledger.outcomes) counts.push_back(static_cast<double>(job.stalls));
  return dispersion_index(counts);
}

void append_figures(Record& record, ledger::Ledger const& ledger) {
  for (auto const& figure : figures(ledger)) {
    record.push_back(figure.available ? figure.value : nan);
  }
}

/// What the ledger says of one site; zeros where no job was.
void append_site(Record& record, ledger::Ledger const& ledger, std::string const& site) {
  auto const found = ledger.sites.find(site);
  std::vector<ledger::Metric> told;
  if (found != ledger.sites.end()) told = ledger::metrics(found->second, ledger.retries_opaque);
  for (auto const figure : site_figures()) {
    auto const metric = std::find_if(
        told.begin(), told.end(), [&](ledger::Metric const& each) { return each.name == figure; });
    record.push_back(metric == told.end() ? 0 : metric->available ? metric->value : nan);
  }
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

}  // namespace

std::vector<std::string_view> const& site_figures() {
  static std::vector<std::string_view> const names = {
      "jobs",     "succeeded", "compute_success_s", "transfer_success_s",
      "badput_s", "stalls",    "evictions",         "holds"};
  return names;
}

std::string site_column(std::string_view figure, std::string_view site) {
  return std::string(at_site) + std::string(figure) + ":" + std::string(site);
}

std::size_t finish_rank(std::size_t step, std::size_t jobs) {
  return (step * jobs + finish_steps - 1) / finish_steps;
}

std::vector<ledger::Metric> figures(ledger::Ledger const& ledger) {
  auto result = ledger::metrics(ledger);
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
  for (auto const& figure : figures(ledger::Ledger{})) names.emplace_back(figure.name);
  return names;
}

std::vector<std::string> record_names(std::vector<std::string> const& sites) {
  auto const plain = figure_names();
  auto names = plain;
  for (auto const& name : plain) names.push_back(std::string(through_table) + name);
  for (auto const& site : sites) names.push_back(std::string(execution_at) + site);
  for (auto const& site : sites) {
    for (auto const figure : site_figures()) names.push_back(site_column(figure, site));
  }
  for (std::size_t step = 1; step <= finish_steps; ++step) {
    names.push_back(std::string(finish_of) + std::to_string(step));
  }
  names.emplace_back("stall_scope");
  return names;
}

RecordKeeper::RecordKeeper(history::JobHistory const& names)
    : names_(names),
      accountant_({.dated = names.dated, .jobs = names.jobs.size()}),
      rows_(names),
      of_rows_({.dated = false, .jobs = names.jobs.size()}) {}

void RecordKeeper::add(history::JobEvent const& event) {
  accountant_.add(event);
  rows_.add(event);
}

void RecordKeeper::settled(Id<history::Job> job) {
  accountant_.settle(job);
  order_.settled(job, [this](Id<history::Job> next) { account_row(next); });
}

void RecordKeeper::account_row(Id<history::Job> job) {
  row_.events.clear();
  history::add_to_history(rows_.take(job), job, row_);
  for (history::JobEvent const& event : row_.events) of_rows_.add(event);
  of_rows_.settle(job);
}

Record RecordKeeper::finish(std::vector<std::string> const& sites, scenario::World const& world) {
  order_.finish(names_.jobs.size(), [this](Id<history::Job> job) { account_row(job); });
  row_.retries_opaque = true;
  row_.gpus_per_job = names_.gpus_per_job;
  ledger::Ledger const ledger = accountant_.finish(names_);
  Record record;
  append_figures(record, ledger);
  append_figures(record, of_rows_.finish(row_));
  auto executions = ledger::successful_executions(ledger);
  for (auto const& site : sites) record.push_back(median(std::move(executions[site])));
  for (auto const& site : sites) append_site(record, ledger, site);
  append_finish(record, ledger);
  record.push_back(world.dated ? nan : static_cast<double>(world.stall.scope));
  return record;
}

Record make_record(history::JobHistory const& history, std::vector<std::string> const& sites,
                   scenario::World const& world) {
  RecordKeeper keeper(history);
  for (history::JobEvent const& event : history.events) keeper.add(event);
  return keeper.finish(sites, world);
}

}  // namespace gridcast::study
