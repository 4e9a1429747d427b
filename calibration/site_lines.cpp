#include "calibration/site_lines.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "calibration/posterior.hpp"

namespace gridcast::calibration {

namespace {

void add_columns(Fit& fit, std::vector<Estimate> lines, std::size_t draws, RandomStream stream,
                 std::function<std::vector<double>(RandomStream&)> const& draw) {
  std::vector<std::vector<double>> columns(lines.size());
  for (std::size_t i = 0; i < draws; ++i) {
    std::vector<double> const row = draw(stream);
    for (std::size_t s = 0; s < row.size(); ++s) columns[s].push_back(row[s]);
  }
  for (std::size_t s = 0; s < lines.size(); ++s) {
    add_posterior(fit, lines[s], columns[s]);
    if (lines[s].events == 0) fit.estimates.back().interval90 = {0, quantile(columns[s], 0.9)};
  }
}

double total_of(std::vector<double> const& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

constexpr char never_seen[] = "never seen at any site: none in the draws; exact upper limit";

// What was never seen at any site is not simulated: half an event's worth of doubt, in each of
// several kinds of which some block a slot for hours, would rule a forecast that nothing supports.
// The upper limit says what the log cannot exclude: P(no event) = 10 % (Poisson, or binomial).
void add_unseen(Fit& fit, std::vector<Estimate> const& lines, std::vector<double> const& exposure,
                double most, std::size_t draws) {
  for (std::size_t s = 0; s < lines.size(); ++s) {
    Estimate line = lines[s];
    line.fit = never_seen;
    add_posterior(fit, line, std::vector<double>(draws, 0.0));
    double const limit = -std::log(0.1) / std::max(exposure[s], 1e-9);
    fit.estimates.back().interval90 = {0, std::min(limit, most)};
  }
  std::string const name = lines.front().name.substr(0, lines.front().name.find('.'));
  fit.not_identified.push_back({name, "never seen at any site", "none; upper limits are given"});
}

// Do sites differ? Counts against one rate for all.
std::string homogeneity(std::vector<double> const& events, std::vector<double> const& exposure) {
  double total = 0, all = 0;
  for (std::size_t s = 0; s < events.size(); ++s) total += events[s], all += exposure[s];
  if (total <= 0 || all <= 0) return "";
  double chi = 0;
  int sites = 0;
  for (std::size_t s = 0; s < events.size(); ++s) {
    double const expected = total * exposure[s] / all;
    if (expected <= 0) continue;
    chi += (events[s] - expected) * (events[s] - expected) / expected;
    ++sites;
  }
  return fmt::format("sites alike: chi2 {:.1f} with {} degrees", chi, std::max(0, sites - 1));
}

}  // namespace

Estimate site_line(std::string const& parameter, std::string const& site, std::string unit,
                   std::string method, std::size_t events) {
  Estimate line;
  line.name = parameter + "." + site;
  line.unit = std::move(unit);
  line.method = std::move(method);
  line.events = events;
  return line;
}

void add_shares(Fit& fit, std::string const& parameter, std::string const& what,
                std::vector<std::string> const& sites, std::vector<SiteTrials> const& trials,
                std::size_t draws, RandomStream stream) {
  std::vector<Estimate> lines;
  std::vector<double> hits, tries;
  for (SiteTrials const& site : trials) hits.push_back(site.hits), tries.push_back(site.trials);
  std::string const alike = homogeneity(hits, tries);
  for (std::size_t s = 0; s < sites.size(); ++s) {
    lines.push_back(site_line(parameter, sites[s], "1",
                              fmt::format("{}: {:.3g} / {:.4g}; beta-binomial, sites pooled", what,
                                          trials[s].hits, trials[s].trials),
                              static_cast<std::size_t>(std::lround(trials[s].hits))));
    lines.back().fit = alike;
  }
  if (total_of(hits) == 0) {
    add_unseen(fit, lines, tries, 1, draws);
    return;
  }
  PooledShare const pooled(trials);
  add_columns(fit, lines, draws, stream, [&](RandomStream& own) { return pooled.draw(own); });
}

void add_rates(Fit& fit, std::string const& parameter, std::string const& what,
               std::vector<std::string> const& sites, std::vector<SiteCount> const& counts,
               std::size_t draws, RandomStream stream) {
  std::vector<Estimate> lines;
  std::vector<double> events, exposure;
  for (SiteCount const& site : counts) {
    events.push_back(site.events);
    exposure.push_back(site.exposure);
  }
  std::string const alike = homogeneity(events, exposure);
  for (std::size_t s = 0; s < sites.size(); ++s) {
    lines.push_back(site_line(parameter, sites[s], "1/s",
                              fmt::format("{}: {:.3g} in {:.4g} s; gamma-Poisson, sites pooled",
                                          what, counts[s].events, counts[s].exposure),
                              static_cast<std::size_t>(std::lround(counts[s].events))));
    lines.back().fit = alike;
  }
  if (total_of(events) == 0) {
    add_unseen(fit, lines, exposure, HUGE_VAL, draws);
    return;
  }
  PooledRate const pooled(counts);
  add_columns(fit, lines, draws, stream, [&](RandomStream& own) { return pooled.draw(own); });
}

std::string uniform_fit(std::vector<double> u) {
  if (u.size() < 5) return "";
  std::sort(u.begin(), u.end());
  double const n = static_cast<double>(u.size());
  double distance = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    double const below = static_cast<double>(i) / n;
    distance = std::max({distance, u[i] - below, below + 1 / n - u[i]});
  }
  return fmt::format("Kolmogorov distance {:.3f}, 5 % critical {:.3f}, n = {}", distance,
                     0.886 / std::sqrt(n), u.size());
}

}  // namespace gridcast::calibration
