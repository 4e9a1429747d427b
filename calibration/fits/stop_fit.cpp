#include "calibration/fits/stop_fit.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <fmt/format.h>

#include "calibration/fits/partial_pooling.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr double same_moment = 0.25;    // of ln t: within a factor of 1.28
constexpr double least_sigma = 0.01;    // stamps, and how often a starter looks
constexpr double enough_of_them = 0.6;  // of a site's stops, to call it a moment

double executed(AttemptRecord const& attempt) {
  return std::max(1.0, (attempt.end - *attempt.executing).value());
}

struct SiteStops {
  std::vector<double> at_moment, at_any;  // seconds of execution
  double moment = 0, sigma = 0;
  std::size_t exposed = 0;  // were stopped at the moment, or lived past it
  double time = 0;          // executed, all
};

SiteStops stops_at(AttemptRecords const& records, std::size_t site) {
  SiteStops stops;
  std::vector<double> all;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!attempt.executing || !attempt.site.valid() || attempt.site.index() != site) continue;
    stops.time += executed(attempt);
    if (stopped_by_slot(attempt)) all.push_back(executed(attempt));
  }
  if (all.empty()) return stops;
  double const middle = median(all);
  for (double const t : all) {
    bool const near = std::abs(std::log(t / middle)) < same_moment;
    (near ? stops.at_moment : stops.at_any).push_back(t);
  }
  double const share =
      static_cast<double>(stops.at_moment.size()) / static_cast<double>(all.size());
  if (stops.at_moment.size() < 2 || share < enough_of_them) {
    stops.at_moment.clear();
    stops.at_any = all;
    return stops;
  }
  std::vector<double> logs;
  for (double const t : stops.at_moment) logs.push_back(std::log(t));
  stops.moment = std::exp(median(logs));
  stops.sigma = std::max(least_sigma, std::sqrt(variance(logs)));
  stops.exposed = stops.at_moment.size();
  for (AttemptRecord const& attempt : records.attempts) {
    if (!attempt.executing || !attempt.site.valid() || attempt.site.index() != site) continue;
    bool const lived = executed(attempt) > stops.moment * std::exp(same_moment);
    stops.exposed += lived ? 1 : 0;
  }
  return stops;
}

double share_quantile(double hits, double trials, double u) {
  return boost::math::ibeta_inv(hits + 0.5, trials - hits + 0.5, u);
}

double share_held(AttemptRecords const& records, double u) {
  double stops = 0;
  double held = 0;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!stopped_by_slot(attempt)) continue;
    stops += 1;
    held += attempt.end_kind == history::EventKind::held ? 1 : 0;
  }
  return share_quantile(held, stops, u);
}

void add_moment(Fit& fit, std::string const& site, SiteStops const& stops, std::size_t draws,
                RandomStreams const& streams, std::size_t s) {
  auto const hits = static_cast<double>(stops.at_moment.size());
  auto const trials = static_cast<double>(stops.exposed);
  Estimate line =
      site_line("stop", site, "1",
                "executions that a limit of the slot stopped at much the same moment, of "
                "those that lived so long",
                stops.at_moment.size());
  line.censored = stops.exposed - stops.at_moment.size();
  add_posterior(fit, line,
                stratified_draws(bootstrap_stream(streams, DrawsOf::stops, s, 0), draws,
                                 [&](double u) { return share_quantile(hits, trials, u); }));
  line = site_line("stop_after_s", site, "s", "median of that moment", stops.at_moment.size());
  line.fit = fmt::format("sd of its logarithm {:.3f}", stops.sigma);
  add_posterior(
      fit, line,
      stratified_draws(bootstrap_stream(streams, DrawsOf::stops, s, 1), draws, [&](double u) {
        return stops.moment * std::exp(normal_quantile(u) * stops.sigma / std::sqrt(hits));
      }));
  fit.draws.add("stop_sigma." + site, std::vector<double>(draws, stops.sigma));
}

void add_any(Fit& fit, std::string const& site, SiteStops const& stops, std::size_t draws,
             RandomStreams const& streams, std::size_t s) {
  auto const number = static_cast<double>(stops.at_any.size());
  Estimate const line = site_line("stop_per_s", site, "1/s",
                                  "executions that a limit of the slot stopped, in time executed",
                                  stops.at_any.size());
  add_posterior(
      fit, line,
      stratified_draws(bootstrap_stream(streams, DrawsOf::stops, s, 2), draws, [&](double u) {
        return boost::math::gamma_p_inv(number, u) / std::max(1.0, stops.time);
      }));
}

}  // namespace

Fit stop_fit(std::vector<std::string> const& sites, AttemptRecords const& records,
             std::size_t draws, RandomStreams const& streams) {
  Fit fit;
  std::string without;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    SiteStops const stops = stops_at(records, s);
    if (stops.at_moment.empty() && stops.at_any.empty()) {
      without += (without.empty() ? "" : ", ") + sites[s];
      continue;
    }
    if (!stops.at_moment.empty()) add_moment(fit, sites[s], stops, draws, streams, s);
    if (!stops.at_any.empty()) add_any(fit, sites[s], stops, draws, streams, s);
    fit.draws.add("stop_holds." + sites[s],
                  stratified_draws(bootstrap_stream(streams, DrawsOf::stops, s, 3), draws,
                                   [&](double u) { return share_held(records, u); }));
  }
  if (!fit.estimates.empty() && !without.empty()) {
    fit.not_identified.push_back(
        {"limits of slots at " + without, "none stopped an execution there", "none in the draws"});
  }
  return fit;
}

}  // namespace gridcast::calibration
