#include "sim/report/site_section.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "sim/report/attempts.hpp"
#include "sim/report/page/shown.hpp"

namespace gridcast::report {
namespace {

using TimesBySite = std::map<std::string, std::vector<double>>;

struct Measured {
  std::string measure;
  TimesBySite sites;
};

/// From each attempt, where there are dates.
std::vector<Measured> of_attempts(history::JobHistory const& history) {
  Measured arrived{"input transfer that succeeded", {}}, failed{"input transfer that failed", {}};
  Measured executed{"execution", {}};
  for (auto const& attempt : attempts_of(history)) {
    if (!attempt.site.valid() || !attempt.ended) continue;
    std::string const& site = history.sites[attempt.site.index()];
    auto& transfers = attempt.execute_started ? arrived : failed;
    if (attempt.transfer()) transfers.sites[site].push_back(attempt.transfer()->value());
    if (attempt.execution()) executed.sites[site].push_back(attempt.execution()->value());
  }
  return {arrived, failed, executed};
}

/// From what a ledger says of each job's last attempt.
std::vector<Measured> of_jobs(ResultLedger const& ledger) {
  Measured arrived{"last input transfer", {}}, retried{"input transfers before it", {}};
  Measured executed{"last execution", {}};
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
  std::string site;
  double most = -1;
  for (auto const& [name, times] : measured.sites) {
    double const middle = median(times);
    if (!(middle > most)) continue;
    most = middle;
    site = name;
  }
  if (site.empty()) return "";
  return fmt::format("{}: longest at {} ({} in the median)", measured.measure, site,
                     to_text(Seconds(most)));
}

std::optional<ReportFigure> boxes(std::vector<Measured> const& all) {
  ReportFigure figure;
  figure.id = "times-by-site";
  figure.title = "How long transfers and executions took";
  figure.spec = "boxes_by_site";
  figure.data.columns = {{"site", "site", "", "text"}, {"measure", "measure", "", "text"},
                         {"p05", "5 %", "s"},          {"p25", "25 %", "s"},
                         {"p50", "median", "s"},       {"p75", "75 %", "s"},
                         {"p95", "95 %", "s"},         {"n", "number"}};
  constexpr std::array p = {0.05, 0.25, 0.5, 0.75, 0.95};
  for (auto const& measured : all) {
    for (auto const& [site, times] : measured.sites) {
      auto const q = quantiles(times, p);
      figure.data.rows.push_back({site.empty() ? "(no site)" : site, measured.measure, q[0], q[1],
                                  q[2], q[3], q[4], static_cast<double>(times.size())});
    }
    auto const words = slowest(measured);
    if (!words.empty()) figure.says += (figure.says.empty() ? "" : "; ") + words;
  }
  if (figure.data.rows.empty()) return std::nullopt;
  figure.says += ".";
  return figure;
}

struct Sites {
  std::string label;
  std::map<std::string, ResultFigures> figures;
};

std::vector<Sites> sites_of(std::vector<Result> const& results) {
  std::vector<Sites> all;
  for (auto const& result : results) {
    std::string const of = results.size() > 1 ? " (" + one_line(result.source) + ")" : "";
    if (result.ledger) all.push_back({"one campaign" + of, result.ledger->sites});
    auto const* strategy = baseline(result);
    if (strategy == nullptr) continue;
    Sites sites{strategy->name + ", mean" + of, {}};
    for (auto const& [site, summaries] : strategy->sites) {
      for (auto const& [name, one] : summaries) sites.figures[site][name] = one.mean;
    }
    all.push_back(std::move(sites));
  }
  std::erase_if(all, [](Sites const& sites) { return sites.figures.empty(); });
  return all;
}

constexpr std::string_view counted[] = {"stalls", "holds", "evictions"};

ReportFigure counts(Sites const& sites) {
  ReportFigure figure;
  figure.id = "counts-by-site";
  figure.title = "Stalls, holds and evictions: " + sites.label;
  figure.spec = "counts_by_site";
  figure.data.columns = {
      {"site", "site", "", "text"}, {"kind", "what", "", "text"}, {"count", "number"}};
  std::map<std::string_view, double> sums;
  std::string worst;
  double most = 0;
  for (auto const& [site, figures] : sites.figures) {
    for (auto const kind : counted) {
      double const n = report::figure(figures, kind);
      if (std::isnan(n)) continue;
      figure.data.rows.push_back({site.empty() ? "(no site)" : site, std::string(kind), n});
      sums[kind] += n;
      if (kind != "stalls" || !(n > most)) continue;
      most = n;
      worst = site;
    }
  }
  figure.says = fmt::format("{:.4g} stalls, {:.4g} holds and {:.4g} evictions", sums["stalls"],
                            sums["holds"], sums["evictions"]);
  figure.says += worst.empty() ? "." : fmt::format("; {:.4g} of the stalls at {}.", most, worst);
  return figure;
}

ReportTable table(std::vector<Sites> const& all) {
  ReportTable result;
  result.id = "sites";
  result.title = "Sites";
  result.data.columns = {{"source", "source", "", "text"},
                         {"site", "site", "", "text"},
                         {"jobs", "jobs"},
                         {"succeeded", "succeeded"},
                         {"compute_success_s", "computing that gave results", "s"},
                         {"transfer_success_s", "transfers behind results", "s"},
                         {"badput_s", "lost", "s"},
                         {"stalls", "stalls"},
                         {"holds", "holds"},
                         {"evictions", "evictions"}};
  for (auto const& sites : all) {
    for (auto const& [site, figures] : sites.figures) {
      std::vector<ReportCell> row = {sites.label, site.empty() ? "(no site)" : site};
      for (std::size_t c = 2; c < result.data.columns.size(); ++c) {
        row.emplace_back(figure(figures, result.data.columns[c].name));
      }
      result.data.rows.push_back(std::move(row));
    }
  }
  std::size_t const sites = all.front().figures.size();
  result.says = fmt::format("{} site{}.", sites, sites == 1 ? "" : "s");
  return result;
}

}  // namespace

ReportPart site_section(std::vector<Result> const& results, OneCampaign const* campaign) {
  auto const all = sites_of(results);
  ReportSection section{"sites", "Sites", {}, {}, {}, {}, {}};
  if (campaign != nullptr) {
    auto const times =
        campaign->history.dated ? of_attempts(campaign->history) : of_jobs(campaign->ledger);
    if (auto figure = boxes(times)) {
      figure->title += ": " + campaign->what;
      section.figures.push_back(std::move(*figure));
    }
  } else if (results.front().ledger) {
    if (auto figure = boxes(of_jobs(*results.front().ledger))) {
      section.figures.push_back(std::move(*figure));
    }
  }
  for (auto const& sites : all) {
    auto figure = counts(sites);
    figure.id += fmt::format("-{}", section.figures.size());
    section.figures.push_back(std::move(figure));
  }
  if (all.empty() && section.figures.empty()) {
    return {std::nullopt, "Sites: the results do not name sites (or are of an earlier gridcast)."};
  }
  if (!all.empty()) section.table = table(all);
  return {std::move(section), ""};
}

}  // namespace gridcast::report
