#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "sim/report/page/report_page.hpp"
#include "sim/report/text/ledger_text.hpp"

namespace gridcast::report {
namespace {

using SiteFigures = std::map<std::string, ResultFigures>;

/// Means of the campaigns.
SiteFigures means_of(SiteSummaries const& sites) {
  SiteFigures figures;
  for (auto const& [site, summaries] : sites) {
    for (auto const& [name, one] : summaries) figures[site][name] = one.mean;
  }
  return figures;
}

void add_rows(ReportTable& table, std::string const& label, SiteFigures const& sites) {
  if (table.says.empty() && !sites.empty()) table.says = counted(sites.size(), "site") + ".";
  for (auto const& [site, figures] : sites) {
    std::vector<ReportCell> row = {label, site_label(site)};
    for (std::size_t c = 2; c < table.data.columns.size(); ++c) {
      row.emplace_back(figure(figures, table.data.columns[c].name));
    }
    table.data.rows.push_back(std::move(row));
  }
}

ReportTable by_site(std::vector<Result> const& results) {
  ReportTable table{"sites",
                    "Sites",
                    {columns(text_column("source"), text_column("site"), number_column("jobs"),
                             number_column("succeeded"),
                             number_column("compute_success_s", "computing that gave results", "s"),
                             number_column("transfer_success_s", "transfers behind results", "s"),
                             number_column("badput_s", "lost", "s"), number_column("stalls"),
                             number_column("holds"), number_column("evictions"))}};
  for (auto const& result : results) {
    if (result.ledger) {
      add_rows(table, "one campaign" + source_text(results, result), result.ledger->sites);
    }
    for (auto const& each : drawn_strategies(results)) {
      if (each.result != &result) continue;
      add_rows(table, each.label + ", mean", means_of(each.strategy->sites));
    }
  }
  return table;
}

/// Jobs and median times by last site, for a source whose time by site is not known.
ReportTable by_last_site(ResultLedger const& ledger) {
  std::map<std::string, std::vector<ResultJob const*>> sites;
  for (auto const& job : ledger.jobs) {
    if (!job.site.empty()) sites[job.site].push_back(&job);
  }
  ReportTable result{
      "sites",
      "Sites",
      {columns(text_column("site", "last site"), number_column("jobs"), number_column("succeeded"),
               number_column("execute_last_s", "last execution, median", "s"),
               number_column("transfer_last_s", "last input transfer, median", "s"),
               number_column("transfer_retried_s", "input transfers before it, median", "s"))}};
  result.says = counted(sites.size(), "site") + ".";
  for (auto const& [site, jobs] : sites) {
    auto const succeeded = std::count_if(
        jobs.begin(), jobs.end(), [](ResultJob const* job) { return job->outcome == "succeeded"; });
    std::vector<ReportCell> row = {site, static_cast<double>(jobs.size()),
                                   static_cast<double>(succeeded)};
    for (std::size_t c = row.size(); c < result.data.columns.size(); ++c) {
      std::vector<double> times;
      for (auto const* job : jobs) {
        double const time = figure(job->figures, result.data.columns[c].name);
        if (!std::isnan(time)) times.push_back(time);
      }
      row.push_back(times.empty() ? ReportCell() : ReportCell(median(std::move(times))));
    }
    result.data.rows.push_back(std::move(row));
  }
  return result;
}

constexpr std::size_t most_rows = 5000;
constexpr std::string_view class_prefix = "class_";

using Ledgers = std::vector<ResultLedger const*>;

/// True if that holds for some job of some ledger.
template <class Holds>
bool some_job(Ledgers const& ledgers, Holds const& holds) {
  return std::any_of(ledgers.begin(), ledgers.end(), [&](ResultLedger const* ledger) {
    return std::any_of(ledger->jobs.begin(), ledger->jobs.end(), holds);
  });
}

/// Heads of narrow columns: the longest word is as wide as the column.
std::string class_title(ledger::TimeClass c) {
  if (c == ledger::TimeClass::transfer_input) return "all input transfers";
  if (c == ledger::TimeClass::transfer_output) return "output transfers";
  return std::string(ledger::words(c));
}

/// The figures that some job has, of counts those that are not always zero, then the classes in
/// which some job spent time.
std::vector<ReportColumn> job_columns(Ledgers const& ledgers) {
  auto all =
      columns(number_column("attempts"), number_column("executions"), number_column("stalls"),
              number_column("holds"), number_column("execute_last_s", "last execution", "s"),
              number_column("transfer_last_s", "last input transfer", "s"),
              number_column("transfer_retried_s", "input transfers before it", "s"),
              number_column("match_to_done_s", "first match to completion", "s"));
  std::erase_if(all, [&](ReportColumn const& column) {
    return !some_job(ledgers, [&](ResultJob const& job) {
      double const value = figure(job.figures, column.name);
      return column.unit.empty() ? value > 0 : !std::isnan(value);
    });
  });
  for (auto const c : ledger::all_time_classes()) {
    std::string const key = std::string(name(c)) + "_s";
    bool const spent = std::ranges::any_of(
        ledgers, [&](ResultLedger const* ledger) { return figure(ledger->classes, key) > 0; });
    if (spent) all.push_back(number_column(std::string(class_prefix) + key, class_title(c), "s"));
  }
  return all;
}

/// The jobs, those that lost most to retries first if not all are shown.
std::vector<ResultJob const*> rows_of(ResultLedger const& ledger) {
  std::vector<ResultJob const*> rows = each_of(ledger.jobs, [](auto const& job) { return &job; });
  if (rows.size() <= most_rows) return rows;
  auto const tries = [](ResultJob const* job) {
    double const n = figure(job->figures, "attempts");
    return std::isnan(n) ? 0 : n;
  };
  std::ranges::stable_sort(rows, [&](auto const* a, auto const* b) { return tries(a) > tries(b); });
  rows.resize(most_rows);
  return rows;
}

double job_figure(ResultJob const& job, std::string_view column) {
  if (!column.starts_with(class_prefix)) return figure(job.figures, column);
  return figure(job.classes, column.substr(class_prefix.size()));
}

ReportTable job_table(ResultLedger const& ledger, std::vector<ReportColumn> const& figures,
                      bool linked) {
  ReportTable table{"jobs",
                    "Jobs",
                    {columns(text_column("job"), text_column("outcome", "how it ended"),
                             text_column("site", "last site"))}};
  if (linked) table.data.columns.front().link = "gantt-job";
  auto const succeeded = std::ranges::count_if(
      ledger.jobs, [](ResultJob const& job) { return job.outcome == "succeeded"; });
  table.says = fmt::format("{} of {} succeeded.", succeeded, counted(ledger.jobs.size(), "job"));
  if (ledger.jobs.size() > most_rows) {
    table.says += fmt::format(" Shown: the {} with the most attempts.", most_rows);
  }
  for (auto const* job : rows_of(ledger)) {
    std::string outcome = job->outcome;
    std::replace(outcome.begin(), outcome.end(), '_', ' ');
    std::vector<ReportCell> row = {job->name, std::move(outcome), job->site};
    for (auto const& column : figures) row.emplace_back(job_figure(*job, column.name));
    table.data.rows.push_back(std::move(row));
  }
  table.data.columns.insert(table.data.columns.end(), figures.begin(), figures.end());
  return table;
}

}  // namespace

ReportPart site_section(std::vector<Result> const& results, ResultLedger const* campaign) {
  ReportSection section{"sites", "Sites"};
  section.table = by_site(results);
  if (section.table->data.rows.empty() && campaign != nullptr) {
    section.table = by_last_site(*campaign);
  }
  if (section.table->data.rows.empty()) {
    return {std::nullopt, "Sites: the results do not name sites (or are of an earlier gridcast)."};
  }
  return {std::move(section), ""};
}

ReportPart job_section(ResultLedger const& ledger, bool linked) {
  if (ledger.jobs.empty()) return {std::nullopt, "Table of jobs: the result names no jobs."};
  ReportSection section{"jobs", "Each job"};
  section.table = job_table(ledger, job_columns({&ledger}), linked);
  return {std::move(section), ""};
}

ReportPart job_section(OneCampaign const& campaign, std::vector<OneCampaign> const& others,
                       bool linked) {
  if (others.empty()) return job_section(campaign.ledger, linked);
  Ledgers ledgers = {&campaign.ledger};
  for (OneCampaign const& other : others) ledgers.push_back(&other.ledger);
  auto const figures = job_columns(ledgers);
  auto const table_of = [&](OneCampaign const& each) {
    ReportTable table = job_table(each.ledger, figures, linked);
    table.strategy = each.strategy;
    return table;
  };
  ReportSection section{"jobs", "Each job"};
  section.table = table_of(campaign);
  for (OneCampaign const& other : others) section.other_tables.push_back(table_of(other));
  return {std::move(section), ""};
}

}  // namespace gridcast::report
