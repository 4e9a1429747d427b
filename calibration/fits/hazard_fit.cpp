#include "calibration/fits/hazard_fit.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "calibration/fits/censored_fit.hpp"
#include "calibration/fits/partial_pooling.hpp"
#include "calibration/records/pilot_records.hpp"

namespace gridcast::calibration {

namespace {

struct Counts {
  explicit Counts(std::size_t sites)
      : crash(sites),
        reconnect(sites),
        evict(sites),
        disconnect(sites),
        suspend(sites),
        death(sites) {}

  std::vector<SiteCount> crash, reconnect, evict, disconnect, suspend, death;
};

/// Of its crash risk, so much was behind an execution that something else ended: computed / whole. The
/// whole is not known; it is the site's typical time times the share of epochs that were left (5 %
/// at least, where a log has lost count of checkpoints), but an execution that took c says that it is
/// longer than c. How much longer, where c is beyond the typical time: of a lognormal T with the
/// deviation s of ln T, z of them beyond its median,
///   E[T | T > c] / c = exp(s^2 / 2 - z s) Phi(s - z) / Phi(-z)
/// which for s = 0.3 is 1.29, 1.18 and 1.13 at z = 0, 1 and 2: about 1.2, and the share at most 5/6.
double share_of_risk(AttemptRecord const& attempt, AttemptRecords const& records,
                     std::vector<double> const& typical_times) {
  if (attempt.exit) return 1;
  double computed = attempt.tail.value();
  for (Seconds const& epoch : attempt.epochs) computed += epoch.value();
  double const left = 1 - static_cast<double>(attempt.epochs_before) / records.epochs;
  double const whole = typical_times[attempt.site.index()] * std::max(left, 0.05);
  return computed / std::max(computed * 1.2, whole);
}

// Found again each time, whatever became of it later.
bool contact_mended(AttemptRecord const& attempt) {
  return std::all_of(attempt.disconnections.begin(), attempt.disconnections.end(),
                     [](Disconnection const& each) { return each.back.has_value(); });
}

Counts count(AttemptRecords const& records, PilotRecords const& pilots,
             std::vector<double> const& typical_times, std::size_t sites) {
  Counts counts(sites);
  for (std::size_t i = 0; i < records.attempts.size(); ++i) {
    AttemptRecord const& attempt = records.attempts[i];
    if (!attempt.site.valid()) continue;
    std::size_t const s = attempt.site.index();
    // Half a tick: an attempt within one second lasted some part of it.
    double const claimed = std::max((attempt.slot_end() - attempt.start).value(), records.tick / 2);
    counts.evict[s].exposure += claimed;
    counts.evict[s].events += vacated(attempt) ? 1 : 0;
    Seconds const connected = attempt.disconnections.empty()
                                  ? attempt.claimed()
                                  : attempt.disconnections.front().at - attempt.start;
    counts.disconnect[s].exposure += std::max(connected.value(), records.tick / 2);
    counts.disconnect[s].events += pilots.own_disconnections[i];
    if (pilots.own_disconnections[i] > 0 && attempt.end_kind) {
      counts.reconnect[s].exposure += 1;
      counts.reconnect[s].events += contact_mended(attempt) ? 1 : 0;
    }
    counts.suspend[s].exposure += std::max(claimed - attempt.suspended.value(), records.tick / 2);
    counts.suspend[s].events += static_cast<double>(attempt.suspensions_begun);
    if (!attempt.executing) continue;
    bool const crash = crashed(attempt);
    counts.crash[s].events += crash ? 1 : 0;
    counts.crash[s].exposure += crash ? 1 : share_of_risk(attempt, records, typical_times);
  }
  for (PilotRecord const& pilot : pilots.pilots) {
    SiteCount& death = counts.death[pilot.site.index()];
    death.exposure += std::max(pilot.seen.value(), records.tick / 2);
    death.events += static_cast<double>(pilot.deaths.size());
  }
  return counts;
}

// Are evictions exponential, all sites together? Times over each site's mean.
std::string eviction_fit(AttemptRecords const& records, Counts const& counts,
                         RandomStreams const& streams) {
  Sample sample;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!attempt.site.valid()) continue;
    SiteCount const& site = counts.evict[attempt.site.index()];
    if (site.events < 3) continue;
    double const rate = site.events / site.exposure;
    sample.push_back(
        {std::max(attempt.claimed().value(), records.tick / 2) * rate, !vacated(attempt)});
  }
  if (count_events(sample) < 5) return "";
  FittedFamily const fit = fit_family(sample, {Family::exponential, false});
  GoodnessOfFit const good =
      goodness_of_fit(sample, fit, 199, bootstrap_stream(streams, DrawsOf::eviction_goodness));
  return fmt::format("exponential: distance to Kaplan-Meier {:.3f}, p = {:.3f}", good.statistic,
                     good.p_value);
}

// Where every lost contact was mended, as most are, a job that stays lost is a kind of event never
// seen: none in the draws, with the probability that no loss among so many leaves as the limit.
void add_reconnections(Fit& fit, std::vector<std::string> const& sites,
                       std::vector<SiteCount> const& trials, std::size_t draws,
                       RandomStream stream) {
  std::string const what = "attempts that went on / that lost contact";
  bool const all_mended = std::all_of(trials.begin(), trials.end(), [](SiteCount const& site) {
    return site.events == site.exposure;
  });
  if (!all_mended) {
    add_pooled(fit, PooledAs::share, "reconnect", what, sites, trials, draws, stream);
  } else {
    for (std::size_t s = 0; s < sites.size(); ++s) {
      Estimate line = site_line("reconnect", sites[s], "1", what, 0);
      line.fit = "never failed: always in the draws; exact lower limit";
      add_posterior(fit, line, std::vector<double>(draws, 1.0));
      double const n = trials[s].exposure;
      fit.estimates.back().interval90 = {n > 0 ? std::pow(0.1, 1 / n) : 0, 1};
    }
    fit.not_identified.push_back({"reconnect", "no lost contact stayed lost",
                                  "every contact is mended; lower limits are given"});
  }
  for (std::size_t s = 0; s < sites.size(); ++s) {
    fit.estimates[fit.estimates.size() - sites.size() + s].events =
        static_cast<std::size_t>(trials[s].exposure);
  }
}

}  // namespace

Fit hazard_fit(history::JobHistory const& history, AttemptRecords const& records,
               std::vector<double> const& typical_times, std::size_t draws,
               RandomStreams const& streams) {
  auto const& sites = history.sites;
  PilotRecords const pilots = make_pilot_records(history, records);
  Counts const counts = count(records, pilots, typical_times, sites.size());
  Fit fit;
  auto const add = [&](PooledAs kind, char const* parameter, char const* what,
                       std::vector<SiteCount> const& seen, DrawsOf stream) {
    add_pooled(fit, kind, parameter, what, sites, seen, draws, bootstrap_stream(streams, stream));
  };
  add(PooledAs::share, "crash", "crashes / executions, by the share of their time that they ran",
      counts.crash, DrawsOf::crash);
  add(PooledAs::rate, "evict_per_s", "evictions in claimed time", counts.evict, DrawsOf::evict);
  std::string const exponential = eviction_fit(records, counts, streams);
  if (!exponential.empty()) {
    for (Estimate& line : fit.estimates) {
      if (line.name.starts_with("evict_per_s.")) line.fit += "; " + exponential;
    }
  }
  add(PooledAs::rate, "disconnect_per_s", "attempts that lost contact, in time until then",
      counts.disconnect, DrawsOf::disconnect);
  add_reconnections(fit, sites, counts.reconnect, draws,
                    bootstrap_stream(streams, DrawsOf::reconnect));
  add(PooledAs::rate, "suspend_per_s", "suspensions in claimed time", counts.suspend,
      DrawsOf::suspend);
  add(PooledAs::rate, "pilot_death_per_s",
      "pilots that died with all their jobs, in time with jobs", counts.death,
      DrawsOf::pilot_death);
  if (pilots.access_point_outages > 0) {
    fit.not_identified.push_back(
        {"the access point's own outages",
         fmt::format("{} times most jobs of several sites lost contact at once",
                     pilots.access_point_outages),
         "not counted as the sites' doing, and not simulated"});
  }
  return fit;
}

}  // namespace gridcast::calibration
