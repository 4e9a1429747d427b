// Pilots that end before their walltime. A pilot dies with all of its jobs, and their leases show
// it. A pilot that is shut down reports it to the shadows of its jobs, and its slot is gone until
// the next pilot comes. The exposure of both is the time with jobs on the pilot.
#include <algorithm>

#include <fmt/format.h>

#include "calibration/processes/processes.hpp"
#include "sim/base/error.hpp"

namespace gridcast::calibration {

namespace {

struct PilotCounts {
  std::vector<SiteCount> deaths, kills;
};

PilotCounts count_pilots(LogEvidence const& evidence) {
  PilotCounts counts{std::vector<SiteCount>(evidence.sites().size()),
                     std::vector<SiteCount>(evidence.sites().size())};
  for (PilotRecord const& pilot : evidence.pilots.pilots) {
    double const seen = std::max(pilot.seen.value(), evidence.shortest());
    SiteCount& death = counts.deaths[pilot.site.index()];
    death.exposure += seen;
    death.events += static_cast<double>(pilot.deaths.size());
    SiteCount& kill = counts.kills[pilot.site.index()];
    kill.exposure += seen;
    kill.events += static_cast<double>(pilot.shut_down.size());
  }
  return counts;
}

// Each is one chance to die, for each number of its attempts. Names come back: a pilot that was
// shut down lived once a time.
double lives_of(PilotRecords const& pilots) {
  auto const lives = sum_of<std::size_t>(pilots.pilots, [](PilotRecord const& pilot) {
    return std::max<std::size_t>(pilot.shut_down.size(), 1);
  });
  return static_cast<double>(lives);
}

void fit_pilot_deaths(LogEvidence const& evidence, Fit& fit) {
  PilotCounts const counts = count_pilots(evidence);
  add_pooled(fit, PooledAs::rate, "pilot_death_per_s",
             "pilots that died with all their jobs, in time with jobs", evidence.sites(),
             counts.deaths, {lives_of(evidence.pilots)}, evidence.draws,
             bootstrap_stream(evidence.streams, DrawsOf::pilot_death));
  if (total_of(counts.kills).events <= 0) return;
  add_counts(fit, evidence, PooledAs::rate, "pilot_kill_per_s",
             "pilots that were shut down, in time with jobs", counts.kills,
             bootstrap_stream(evidence.streams, DrawsOf::pilot_kill));
}

void fit_pilot_kills(TableEvidence const& evidence, Fit& fit) {
  std::vector<SiteCount> const& sites = evidence.evictions;
  if (total_of(sites).exposure <= 0) {
    refuse({}, "no job of the tables used a slot for any time", "eviction rates need exposure",
           "Give more job tables.");
  }
  PooledRate const pooled(sites);
  std::vector<std::vector<double>> draws(sites.size());
  for (std::size_t draw = 0; draw < evidence.draws; ++draw) {
    RandomStream stream = bootstrap_stream(evidence.streams, DrawsOf::pilot_kill, 0, draw);
    std::vector<double> const rates = pooled.draw(stream);
    for (std::size_t s = 0; s < sites.size(); ++s) draws[s].push_back(rates[s]);
  }
  for (std::size_t s = 0; s < sites.size(); ++s) {
    Estimate line = site_line(
        "pilot_kill_per_s", evidence.records.sites[s], "1/s",
        fmt::format("evictions in {:.1f} h of execution, last and retried transfers at the site; "
                    "gamma rates pooled over sites{}",
                    sites[s].exposure / 3600,
                    sites[s].background > 0
                        ? fmt::format("; {:.2g} expected of pilots that end at their walltime",
                                      sites[s].background)
                        : ""),
        static_cast<std::size_t>(sites[s].events));
    bool const elsewhere = total_of(sites).events > 0;
    if (sites[s].events <= 0) line.origin = elsewhere ? Origin::borrowed : Origin::by_default;
    add_posterior(fit, line, draws[s]);
    if (sites[s].exposure > 0) continue;
    fit.not_identified.push_back({line.name, "no job of the tables used a slot there",
                                  "the rates of the other sites and their spread"});
  }
}

std::vector<SiteCount> count_part_of_pilots(LogEvidence const&, LogEvidence const& part) {
  PilotCounts const counts = count_pilots(part);
  return {total_of(counts.deaths), total_of(counts.kills)};
}

}  // namespace

Process pilot_deaths() {
  using namespace words_of_columns;
  return {.described =
              {.name = "pilot-deaths",
               .meaning = "a pilot ends before its walltime",
               .site_columns =
                   {{"pilot_kill_per_s", not_negative, at_site<&Site::pilot_kill_per_second>,
                     "Hazard that the site ends a pilot before its walltime, 1/s"},
                    {"pilot_death_per_s", not_negative, at_site<&Site::pilot_death_per_second>,
                     "Hazard that a pilot ends without a message; it replaces walltimes, 1/s"}},
               .zero_is_off = {"pilot_kill_per_s", "pilot_death_per_s"}},
          .fit_log = fit_pilot_deaths,
          .fit_table = fit_pilot_kills,
          .varies = {{"pilot_death_per_s", PooledAs::rate}, {"pilot_kill_per_s", PooledAs::rate}},
          .count_part = count_part_of_pilots};
}

}  // namespace gridcast::calibration
