#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/history/attempts.hpp"
#include "sim/report/page/report_page.hpp"

namespace gridcast::report {
namespace {

constexpr std::size_t bins = 120;
constexpr std::size_t most_resources = 12;

/// Something that lasts, at an even rate: bytes a second, or 1 for each counted item.
struct Stretch {
  Seconds start, end;
  double rate = 1;
};

using Series = std::map<std::string, std::vector<Stretch>>;

Seconds end_of(history::JobHistory const& history) {
  Seconds end;
  for (auto const& event : history.events) end = std::max(end, event.at);
  return end;
}

/// "osdf:///nrp/x.tar" is of "nrp"; "https://host/x" of "host".
std::string source_of(std::string const& url) {
  auto at = url.find("://");
  if (at == std::string::npos) return "access point";
  at = url.find_first_not_of('/', at + 3);
  return at == std::string::npos ? url : url.substr(at, url.find('/', at) - at);
}

/// Bytes a second by where they came from.
Series flows(OneCampaign const& campaign) {
  Series series;
  for (auto const& each : campaign.resources.transfers) {
    Seconds const length = each.end - each.start;
    if (!(length > Seconds())) continue;
    std::string const name = each.fill ? "origin to " + each.resource : each.resource;
    series[name].push_back({each.start, each.end, each.bytes.value() / length.value()});
  }
  if (!campaign.resources.transfers.empty()) return series;
  for (auto const& each : campaign.history.transfers) {
    Seconds const length = std::max(each.end - each.start, each.duration);
    if (!(length > Seconds()) || each.upload || each.url >= campaign.history.urls.size()) continue;
    series[source_of(campaign.history.urls[each.url])].push_back(
        {each.start, each.start + length, each.size.value() / length.value()});
  }
  return series;
}

/// Input transfers that are on, by site.
Series at_a_time(history::JobHistory const& history, Seconds end) {
  Series series;
  for (auto const& attempt : history::attempts_of(history)) {
    if (!attempt.transfer_started || !attempt.site.valid()) continue;
    series[history.sites[attempt.site.index()]].push_back(
        {*attempt.transfer_started, attempt.transfer_ended.value_or(end), 1});
  }
  return series;
}

Series overloads(OneCampaign const& campaign, Seconds end) {
  Series series;
  for (auto const& each : campaign.resources.bad) {
    if (each.start >= end) continue;
    series[each.resource].push_back({each.start, std::min(each.end, end), 1});
  }
  return series;
}

/// Mean over each of `bins` equal parts of 0 to `end` of the sum of rates.
std::vector<double> binned(std::vector<Stretch> const& stretches, Seconds end) {
  std::vector<double> sums(bins, 0);
  Seconds const width = end / static_cast<double>(bins);
  for (auto const& each : stretches) {
    auto const first = static_cast<std::size_t>(std::max(0.0, each.start / width));
    for (std::size_t i = first; i < bins; ++i) {
      Seconds const from = std::max(each.start, width * static_cast<double>(i));
      Seconds const to = std::min(each.end, width * static_cast<double>(i + 1));
      if (to < from) break;
      sums[i] += each.rate * ((to - from) / width);
    }
  }
  return sums;
}

/// The largest sum of rates at any time.
double peak(std::vector<Stretch> const& stretches) {
  std::vector<std::pair<Seconds, double>> steps;
  for (auto const& each : stretches) {
    if (!(each.end > each.start)) continue;
    steps.emplace_back(each.start, each.rate);
    steps.emplace_back(each.end, -each.rate);
  }
  // An end makes room before the next begin.
  std::sort(steps.begin(), steps.end());
  double now = 0, most = 0;
  for (auto const& [at, change] : steps) most = std::max(most, now += change);
  return most;
}

double total(std::vector<Stretch> const& stretches) {
  double sum = 0;
  for (auto const& each : stretches) sum += each.rate * (each.end - each.start).value();
  return sum;
}

bool carries_less(Series::value_type const& a, Series::value_type const& b) {
  return total(a.second) < total(b.second);
}

/// As many digits as a curve shows.
double drawn(double value) {
  if (value == 0) return 0;
  double const digit = std::pow(10, std::floor(std::log10(std::abs(value))) - 3);
  return digit < 1 ? std::round(value / digit) * digit : std::round(value);
}

/// A row where the value changes, and at both ends: between two it stays.
ReportFigure over_time(Series series, Seconds end, std::string const& id, std::string const& title,
                       std::string const& measure, std::string const& unit) {
  ReportFigure figure{id,
                      title,
                      "traffic",
                      {columns(text_column("resource", "where"),
                               number_column("t_s", "time since the first submission", "s"),
                               number_column("value", measure, unit), text_column("strategy"))}};
  while (series.size() > most_resources) {
    series.erase(std::min_element(series.begin(), series.end(), carries_less));
  }
  for (auto const& [name, stretches] : series) {
    auto const values = binned(stretches, end);
    double last = -1;
    for (std::size_t i = 0; i < values.size(); ++i) {
      double const value = drawn(values[i]);
      if (value == last && i + 1 < values.size()) continue;
      last = value;
      Seconds const at = end * (static_cast<double>(i) / bins);
      figure.data.rows.push_back({name, drawn(at.value()), value, ReportCell()});
    }
  }
  return figure;
}

std::vector<Stretch> all_of(Series const& series) {
  std::vector<Stretch> all;
  for (auto const& [name, stretches] : series) {
    all.insert(all.end(), stretches.begin(), stretches.end());
  }
  return all;
}

ReportFigure traffic(Series const& series, Seconds end) {
  auto figure = over_time(series, end, "traffic", "Traffic", "rate", "B/s");
  auto const most = std::max_element(series.begin(), series.end(), carries_less);
  figure.says =
      fmt::format("{} in all, most of it ({}) from {}; at most {} at a time.",
                  to_text(Bytes(total(all_of(series)))), to_text(Bytes(total(most->second))),
                  most->first, to_text(BytesPerSecond(peak(all_of(series)))));
  return figure;
}

ReportFigure concurrency(Series const& series, Seconds end) {
  auto figure = over_time(series, end, "concurrent-transfers", "Input transfers at a time",
                          "transfers at a time", "");
  figure.says = fmt::format("At most {:.0f} at a time, {:.1f} on average.", peak(all_of(series)),
                            total(all_of(series)) / end.value());
  return figure;
}

/// How long caches and the origin were overloaded or their paths bad; empty if none was.
std::string overload_words(Series const& series) {
  constexpr std::size_t most_named = 3;
  std::vector<std::string> parts;
  for (auto const& [name, stretches] : series) {
    if (parts.size() == most_named) break;
    parts.push_back(fmt::format("{} for {} ({})", name, to_text(Seconds(total(stretches))),
                                counted(stretches.size(), "period")));
  }
  if (parts.empty()) return "";
  return "Overloaded, or with a bad path: " + list_text(parts) +
         (series.size() > parts.size() ? ", and others." : ".");
}

std::optional<ReportFigure> hit_ratio(engine::ResourceTrace const& resources) {
  ReportFigure figure{"hit-ratio",
                      "Cache hits and misses",
                      "hit_ratio",
                      {columns(text_column("cache"), number_column("hits"), number_column("misses"),
                               number_column("fetched_B", "fetched from the origin", "B"),
                               text_column("strategy"))}};
  std::uint64_t hits = 0, misses = 0;
  Bytes fetched;
  for (auto const& cache : resources.caches) {
    if (cache.hits + cache.misses == 0) continue;
    hits += cache.hits;
    misses += cache.misses;
    fetched += cache.fetched;
    figure.data.rows.push_back({cache.name, static_cast<double>(cache.hits),
                                static_cast<double>(cache.misses), cache.fetched.value(),
                                ReportCell()});
  }
  if (figure.data.rows.empty()) return std::nullopt;
  figure.says =
      fmt::format("{:.0f} % of {} requests were hits; the caches fetched {} from the origin.",
                  100.0 * static_cast<double>(hits) / static_cast<double>(hits + misses),
                  hits + misses, to_text(fetched));
  return figure;
}

/// The figures of one campaign; none in which no transfer was started. Transfers at a time are a
/// figure where bytes are not known.
std::vector<ReportFigure> figures_of(OneCampaign const& campaign) {
  Seconds const end = end_of(campaign.history);
  auto const transfers = at_a_time(campaign.history, end);
  if (transfers.empty() || !(end > Seconds())) return {};
  std::vector<ReportFigure> figures;
  auto const bytes = flows(campaign);
  figures.push_back(bytes.empty() ? concurrency(transfers, end) : traffic(bytes, end));
  if (auto hits = hit_ratio(campaign.resources)) figures.push_back(std::move(*hits));
  if (campaign.strategy.empty()) return figures;
  for (auto& figure : figures) {
    figure.says_by = {{campaign.strategy, figure.says}};
    for (auto& row : figure.data.rows) row.back() = campaign.strategy;
  }
  return figures;
}

bool has(std::vector<ReportFigure> const& figures, std::string_view id) {
  return std::any_of(figures.begin(), figures.end(),
                     [&](ReportFigure const& figure) { return figure.id == id; });
}

void add_bytes_by_site(ReportSection& section, history::BytesBySite const& moved) {
  if (moved.empty()) {
    section.text.emplace_back(
        "The source has no bytes of transfers, so there is no traffic: ads of "
        "`condor_history -epochs` have them.");
    return;
  }
  ReportTable table{"bytes-by-site",
                    "Bytes moved at each site",
                    {columns(text_column("site"), number_column("received", "received", "B"),
                             number_column("sent", "sent", "B"))}};
  history::MovedBytes all;
  for (auto const& [site, at_site] : moved) {
    table.data.rows.push_back({site_text(site), at_site.received.value(), at_site.sent.value()});
    all += at_site;
  }
  table.says =
      fmt::format("{} received and {} sent in all.", to_text(all.received), to_text(all.sent));
  section.table = std::move(table);
  section.text.emplace_back(
      "The source has bytes of transfers by site, without their times, so there is no "
      "traffic over time: ads of `condor_history -epochs` contain it.");
}

}  // namespace

ReportPart traffic_section(OneCampaign const& campaign, std::vector<OneCampaign> const& others,
                           history::BytesBySite const& moved) {
  if (!campaign.history.dated) {
    return {std::nullopt, "Caches and links: the source has no dates, so traffic is not known."};
  }
  ReportSection section{"traffic", "Caches and links", {"Campaign: " + campaign.what + "."}};
  section.figures = figures_of(campaign);
  if (section.figures.empty()) {
    return {std::nullopt, "Caches and links: no input transfer was started."};
  }
  auto const bad = overload_words(overloads(campaign, end_of(campaign.history)));
  if (!bad.empty()) section.text.push_back(bad);
  if (!has(section.figures, "traffic")) add_bytes_by_site(section, moved);
  if (!has(section.figures, "hit-ratio")) {
    section.text.emplace_back("Whether a cache had a requested file is not known here.");
  }
  for (auto const& other : others) {
    for (auto const& figure : figures_of(other)) {
      for (auto& mine : section.figures) {
        if (mine.id == figure.id) add_picked(mine, figure);
      }
    }
  }
  return {std::move(section), ""};
}

}  // namespace gridcast::report
