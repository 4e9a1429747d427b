#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/history/attempts.hpp"
#include "sim/report/page/report_page.hpp"

namespace gridcast::report {
namespace {

struct Measured {
  std::string measure;
  std::map<std::string, std::vector<double>> sites = {};
};

/// From each attempt, where there are dates.
std::vector<Measured> of_attempts(history::JobHistory const& history) {
  Measured arrived{"input transfer that succeeded"}, failed{"input transfer that failed"};
  Measured executed{"execution"};
  for (auto const& attempt : history::attempts_of(history)) {
    if (!attempt.site.valid() || !attempt.ended) continue;
    std::string const& site = history.sites[attempt.site.index()];
    auto& transfers = attempt.execute_started ? arrived : failed;
    if (attempt.transfer()) transfers.sites[site].push_back(attempt.transfer()->value());
    if (attempt.execution()) executed.sites[site].push_back(attempt.execution()->value());
  }
  return {arrived, failed, executed};
}

/// From a ledger's data on each job's last attempt.
std::vector<Measured> of_jobs(ResultLedger const& ledger) {
  Measured arrived{"last input transfer"}, retried{"input transfers before it"};
  Measured executed{"last execution"};
  for (auto const& job : ledger.jobs) {
    if (job.site.empty()) continue;
    auto const add = [&](Measured& to, std::string_view key) {
      double const time = figure(job.figures, key);
      if (!std::isnan(time)) to.sites[job.site].push_back(time);
    };
    add(arrived, "transfer_last_s");
    add(retried, "transfer_retried_s");
    add(executed, "execute_last_s");
  }
  return {arrived, retried, executed};
}

std::string slowest(Measured const& measured) {
  auto const [site, most] =
      largest(measured.sites, -1, [](auto const& times) { return median(times); });
  if (site.empty()) return "";
  return fmt::format("{}: longest at {} ({} in the median)", measured.measure, site,
                     to_text(Seconds(most)));
}

/// `strategy`: as it can be picked; empty: there is but one.
std::optional<ReportFigure> boxes(std::vector<Measured> const& all, std::string const& strategy) {
  ReportFigure figure{
      "times-by-site",
      "How long transfers and executions took",
      "boxes_by_site",
      {columns(text_column("site"), text_column("measure"), number_column("p05", "5 %", "s"),
               number_column("p25", "25 %", "s"), number_column("p50", "median", "s"),
               number_column("p75", "75 %", "s"), number_column("p95", "95 %", "s"),
               number_column("n", "number"), text_column("strategy"))}};
  constexpr std::array p = {0.05, 0.25, 0.5, 0.75, 0.95};
  for (auto const& measured : all) {
    for (auto const& [site, times] : measured.sites) {
      auto const q = quantiles(times, p);
      figure.data.rows.push_back({site_text(site), measured.measure, q[0], q[1], q[2], q[3], q[4],
                                  static_cast<double>(times.size()),
                                  strategy.empty() ? ReportCell() : ReportCell(strategy)});
    }
    auto const words = slowest(measured);
    if (!words.empty()) figure.says += (figure.says.empty() ? "" : "; ") + words;
  }
  if (figure.data.rows.empty()) return std::nullopt;
  figure.says += ".";
  return figure;
}

std::optional<ReportFigure> boxes(OneCampaign const& campaign) {
  auto figure =
      boxes(campaign.history.dated ? of_attempts(campaign.history) : of_jobs(campaign.ledger),
            campaign.strategy);
  if (!figure) return figure;
  figure->title += ": " + campaign.what;
  if (!campaign.strategy.empty()) figure->says_by = {{campaign.strategy, figure->says}};
  return figure;
}

struct Sites {
  std::string label;
  std::string strategy;  // as it can be picked; empty of a campaign
  std::map<std::string, ResultFigures> figures;
};

std::vector<Sites> sites_of(std::vector<Result> const& results) {
  std::vector<Sites> all;
  for (auto const& result : results) {
    std::string const of = source_text(results, result);
    if (result.ledger) all.push_back({"one campaign" + of, "", result.ledger->sites});
    for (auto const& each : drawn_strategies(results)) {
      if (each.result != &result) continue;
      Sites sites{each.label + ", mean", each.label, {}};
      for (auto const& [site, summaries] : each.strategy->sites) {
        for (auto const& [name, one] : summaries) sites.figures[site][name] = one.mean;
      }
      all.push_back(std::move(sites));
    }
  }
  std::erase_if(all, [](Sites const& sites) { return sites.figures.empty(); });
  return all;
}

std::string count_text(double count) { return number_text(count, Unit::events); }

ReportFigure counts(Sites const& sites) {
  ReportFigure figure{
      "counts-by-site",
      "Stalls, holds and evictions" + (sites.strategy.empty() ? ": " + sites.label : ", means"),
      "counts_by_site",
      {columns(text_column("site"), text_column("kind", "what"), number_column("count", "number"),
               text_column("strategy"))}};
  std::map<std::string_view, double> sums;
  for (auto const& [site, figures] : sites.figures) {
    for (std::string_view const kind : {"stalls", "holds", "evictions"}) {
      double const n = report::figure(figures, kind);
      if (std::isnan(n)) continue;
      figure.data.rows.push_back(
          {site_text(site), std::string(kind), n,
           sites.strategy.empty() ? ReportCell() : ReportCell(sites.strategy)});
      sums[kind] += n;
    }
  }
  auto const [worst, most] = largest(sites.figures, 0, [](ResultFigures const& figures) {
    return report::figure(figures, "stalls");
  });
  figure.says = fmt::format("{} stalls, {} holds and {} evictions", count_text(sums["stalls"]),
                            count_text(sums["holds"]), count_text(sums["evictions"]));
  figure.says +=
      worst.empty() ? "." : fmt::format("; {} of the stalls at {}.", count_text(most), worst);
  if (!sites.strategy.empty()) figure.says_by = {{sites.strategy, figure.says}};
  return figure;
}

ReportTable table(std::vector<Sites> const& all) {
  ReportTable result{
      "sites",
      "Sites",
      {columns(text_column("source"), text_column("site"), number_column("jobs"),
               number_column("succeeded"),
               number_column("compute_success_s", "computing that gave results", "s"),
               number_column("transfer_success_s", "transfers behind results", "s"),
               number_column("badput_s", "lost", "s"), number_column("stalls"),
               number_column("holds"), number_column("evictions"))}};
  for (auto const& sites : all) {
    for (auto const& [site, figures] : sites.figures) {
      std::vector<ReportCell> row = {sites.label, site_text(site)};
      for (std::size_t c = 2; c < result.data.columns.size(); ++c) {
        row.emplace_back(figure(figures, result.data.columns[c].name));
      }
      result.data.rows.push_back(std::move(row));
    }
  }
  std::size_t const sites = all.front().figures.size();
  result.says = counted(sites, "site") + ".";
  return result;
}

constexpr std::size_t most_rows = 5000;
constexpr std::string_view class_prefix = "class_";

using Ledgers = std::vector<ResultLedger const*>;

/// Whether that holds for some job of some ledger.
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
    bool const spent = std::any_of(ledgers.begin(), ledgers.end(), [&](ResultLedger const* ledger) {
      return figure(ledger->classes, key) > 0;
    });
    if (spent) {
      all.push_back(number_column(std::string(class_prefix) + key, class_title(c), "s"));
    }
  }
  return all;
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
  auto const succeeded =
      std::count_if(ledger.jobs.begin(), ledger.jobs.end(),
                    [](ResultJob const& job) { return job.outcome == "succeeded"; });
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

ReportPart site_section(std::vector<Result> const& results, OneCampaign const* campaign,
                        std::vector<OneCampaign> const& others) {
  auto const all = sites_of(results);
  ReportSection section{"sites", "Sites"};
  if (campaign != nullptr) {
    if (auto figure = boxes(*campaign)) {
      for (auto const& other : others) {
        if (auto of_other = boxes(other)) add_picked(*figure, *of_other);
      }
      section.figures.push_back(std::move(*figure));
    }
  } else if (results.front().ledger) {
    if (auto figure = boxes(of_jobs(*results.front().ledger), "")) {
      section.figures.push_back(std::move(*figure));
    }
  }
  auto of_strategies =
      std::numeric_limits<std::size_t>::max();  // the figure in which one is picked
  for (auto const& sites : all) {
    auto figure = counts(sites);
    if (!sites.strategy.empty() && of_strategies < section.figures.size()) {
      add_picked(section.figures[of_strategies], figure);
      continue;
    }
    if (!sites.strategy.empty()) of_strategies = section.figures.size();
    figure.id += fmt::format("-{}", section.figures.size());
    section.figures.push_back(std::move(figure));
  }
  if (all.empty() && section.figures.empty()) {
    return {std::nullopt, "Sites: the results do not name sites (or are of an earlier gridcast)."};
  }
  if (!all.empty()) section.table = table(all);
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
