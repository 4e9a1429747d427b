#include "sim/report/page/job_table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/ledger/time_classes.hpp"
#include "sim/report/page/shown.hpp"

namespace gridcast::report {
namespace {

constexpr std::size_t most_rows = 5000;

struct Column {
  std::string_view name, title, unit;
};

constexpr Column plain[] = {{"attempts", "attempts", ""},
                            {"executions", "executions", ""},
                            {"stalls", "stalls", ""},
                            {"holds", "holds", ""},
                            {"execute_last_s", "last execution", "s"},
                            {"transfer_last_s", "last input transfer", "s"},
                            {"transfer_retried_s", "input transfers before it", "s"},
                            {"match_to_done_s", "first match to completion", "s"}};

bool any_figure(ResultLedger const& ledger, std::string_view name) {
  return std::any_of(ledger.jobs.begin(), ledger.jobs.end(),
                     [&](ResultJob const& job) { return !std::isnan(figure(job.figures, name)); });
}

/// The classes in which some job spent time.
std::vector<ledger::TimeClass> classes_of(ResultLedger const& ledger) {
  std::vector<ledger::TimeClass> used;
  for (auto const c : ledger::all_time_classes()) {
    std::string const key = std::string(name(c)) + "_s";
    if (figure(ledger.classes, key) > 0) used.push_back(c);
  }
  return used;
}

/// The jobs, those that lost most to retries first if not all are shown.
std::vector<ResultJob const*> rows_of(ResultLedger const& ledger) {
  std::vector<ResultJob const*> rows;
  for (auto const& job : ledger.jobs) rows.push_back(&job);
  if (rows.size() <= most_rows) return rows;
  auto const tries = [](ResultJob const* job) {
    double const n = figure(job->figures, "attempts");
    return std::isnan(n) ? 0 : n;
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](auto const* a, auto const* b) { return tries(a) > tries(b); });
  rows.resize(most_rows);
  return rows;
}

ReportCell cell(double value) { return std::isnan(value) ? ReportCell() : ReportCell(value); }

}  // namespace

ReportPart job_table_section(ResultLedger const& ledger, bool linked) {
  if (ledger.jobs.empty()) return {std::nullopt, "Table of jobs: the result names no jobs."};
  ReportSection section{"jobs", "Each job", {}, {}, {}, {}, {}};
  ReportTable table;
  table.id = "jobs";
  table.title = "Jobs";
  auto const succeeded =
      std::count_if(ledger.jobs.begin(), ledger.jobs.end(),
                    [](ResultJob const& job) { return job.outcome == "succeeded"; });
  table.says = fmt::format("{} of {} job{} succeeded.", succeeded, ledger.jobs.size(),
                           ledger.jobs.size() == 1 ? "" : "s");
  if (ledger.jobs.size() > most_rows) {
    table.says += fmt::format(" Shown: the {} with the most attempts.", most_rows);
  }
  auto& columns = table.data.columns;
  columns = {{"job", "job", "", "text", linked ? "gantt-job" : ""},
             {"outcome", "how it ended", "", "text"},
             {"site", "last site", "", "text"}};
  std::vector<std::string> figures, classes;
  for (auto const& column : plain) {
    if (!any_figure(ledger, column.name)) continue;
    figures.emplace_back(column.name);
    columns.push_back(
        {std::string(column.name), std::string(column.title), std::string(column.unit)});
  }
  for (auto const c : classes_of(ledger)) {
    classes.push_back(std::string(name(c)) + "_s");
    columns.push_back({"class_" + classes.back(), std::string(ledger::words(c)), "s"});
  }
  for (auto const* job : rows_of(ledger)) {
    std::vector<ReportCell> row = {job->name, job->outcome, job->site};
    for (auto const& key : figures) row.push_back(cell(figure(job->figures, key)));
    for (auto const& key : classes) row.push_back(cell(figure(job->classes, key)));
    table.data.rows.push_back(std::move(row));
  }
  section.table = std::move(table);
  return {std::move(section), ""};
}

}  // namespace gridcast::report
