#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/history/attempts.hpp"
#include "sim/report/page/report_page.hpp"
#include "sim/report/view/ledger.hpp"

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

/// From each job's last attempt, where there are no dates.
std::vector<Measured> of_jobs(ledger::Ledger const& ledger) {
  Measured arrived{"last input transfer"}, retried{"input transfers before it"};
  Measured executed{"last execution"};
  for (auto const& job : ledger.jobs) {
    if (!job.last_site.valid()) continue;
    auto const& site = ledger.site_names[job.last_site.index()];
    if (job.last_transfer) {
      arrived.sites[site].push_back(job.last_transfer->value());
      retried.sites[site].push_back(job.retried.value());
    }
    if (job.final_execution) executed.sites[site].push_back(job.final_execution->value());
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
      {figure_columns("site|measure|>p05=5 % [s]|>p25=25 % [s]|>p50=median [s]|>p75=75 % [s]|"
                      ">p95=95 % [s]|>n=number|strategy")}};
  constexpr std::array p = {0.05, 0.25, 0.5, 0.75, 0.95};
  for (auto const& measured : all) {
    for (auto const& [site, times] : measured.sites) {
      auto const q = quantiles(times, p);
      figure.data.rows.push_back({site_label(site), measured.measure, q[0], q[1], q[2], q[3], q[4],
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
      boxes(campaign.history.dated ? of_attempts(campaign.history) : of_jobs(campaign.accounts),
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
      {figure_columns("site|kind=what|>count=number|strategy")}};
  std::map<std::string_view, double> sums;
  for (auto const& [site, figures] : sites.figures) {
    for (std::string_view const kind : {"stalls", "holds", "evictions"}) {
      double const n = report::figure(figures, kind);
      if (std::isnan(n)) continue;
      figure.data.rows.push_back(
          {site_label(site), std::string(kind), n,
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
    add_statements(section, ledger_sites(campaign->accounts));
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
  return {std::move(section), ""};
}

constexpr std::size_t most_rows = 5000;

ReportPart job_section(OneCampaign const& campaign, std::vector<OneCampaign> const& others,
                       bool linked) {
  ReportSection section{"jobs", "Each job"};
  auto const add = [&](OneCampaign const& each) {
    add_statements(section, each_job(each.accounts, most_rows),
                   {"", "", TextTable({}), each.strategy, linked});
  };
  add(campaign);
  for (OneCampaign const& other : others) add(other);
  return {std::move(section), ""};
}

}  // namespace gridcast::report
