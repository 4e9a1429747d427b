#include "calibration/fitted_process.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "calibration/attempt_record.hpp"
#include "calibration/record.hpp"

namespace gridcast::calibration {
namespace {

constexpr std::size_t most_draws = 200;

/// Evenly chosen, so that each draw stands for as many.
std::vector<Distribution> some_draws(
    scenario::Calibration const& calibration,
    std::function<Distribution(scenario::ParameterDraw const&)> const& of) {
  std::vector<Distribution> draws;
  std::size_t const all = calibration.draws.size();
  std::size_t const n = std::min(all, most_draws);
  for (std::size_t i = 0; i < n; ++i) draws.push_back(of(calibration.draws[i * all / n]));
  return draws;
}

/// factor x X + offset.
Distribution moved(Distribution distribution, double factor, double offset) {
  distribution.scale *= factor;
  distribution.shift = factor * distribution.shift + offset;
  return distribution;
}

void add(std::vector<FittedProcess>& all, FittedProcess process) {
  if (process.data.empty()) return;
  std::sort(process.data.begin(), process.data.end());
  all.push_back(std::move(process));
}

bool known(scenario::Calibration const& calibration, std::string const& site) {
  return std::find(calibration.sites.begin(), calibration.sites.end(), site) !=
         calibration.sites.end();
}

// Of the median job at a site: work / speed, and the noise of jobs and executions together.
Distribution dated_execution(scenario::EventLogParameters const& draw, std::string const& site) {
  double const sigma = std::hypot(draw.job_sigma, draw.execution_sigma);
  double const speed = draw.sites.at(site).speed;
  return {Family::lognormal, std::max(sigma, 1e-6), draw.work.value() / speed, 0};
}

/// From the first attempt's start of computing to its end, where nothing came in between.
bool undisturbed(AttemptRecord const& attempt) {
  return attempt.number == 1 && attempt.executing && attempt.exit && attempt.useful &&
         attempt.end_kind == history::EventKind::terminated && attempt.suspensions_begun == 0 &&
         attempt.disconnections.empty();
}

void add_dated_executions(std::vector<FittedProcess>& all, history::JobHistory const& history,
                          AttemptRecords const& records, scenario::Calibration const& calibration) {
  std::map<std::string, FittedProcess> by_site;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!undisturbed(attempt) || !attempt.site.valid()) continue;
    std::string const& site = history.sites[attempt.site.index()];
    if (!known(calibration, site)) continue;
    Seconds time = *attempt.exit - *attempt.executing;
    for (Seconds const& store : attempt.stores) time -= store;
    by_site[site].data.push_back(time.value());
  }
  for (auto& [site, process] : by_site) {
    process.name = "execution at " + site;
    process.draws = some_draws(calibration, [&, &name = site](scenario::ParameterDraw const& draw) {
      return dated_execution(*draw.event_log, name);
    });
    add(all, std::move(process));
  }
}

void add_gaps(std::vector<FittedProcess>& all, AttemptRecords const& records,
              scenario::Calibration const& calibration) {
  FittedProcess teardown{"exit to slot free", {}, 0, {}},
      checkpoint{"storing a checkpoint", {}, 0, {}};
  FittedProcess reconnect{"disconnected to found again", {}, 0, {}};
  for (AttemptRecord const& attempt : records.attempts) {
    bool const own_end = attempt.end_kind == history::EventKind::terminated ||
                         attempt.end_kind == history::EventKind::requeued ||
                         (attempt.end_kind == history::EventKind::held && crashed(attempt));
    if (attempt.exit && own_end && attempt.disconnections.empty()) {
      teardown.data.push_back((attempt.end - *attempt.exit).value());
    }
    for (Seconds const& store : attempt.stores) checkpoint.data.push_back(store.value());
    for (auto const& one : attempt.disconnections) {
      if (one.back) reconnect.data.push_back((*one.back - one.at).value());
    }
  }
  teardown.draws = some_draws(calibration, [](auto& draw) { return draw.event_log->teardown; });
  checkpoint.draws = some_draws(calibration, [](auto& draw) { return draw.event_log->checkpoint; });
  reconnect.draws =
      some_draws(calibration, [](auto& draw) { return draw.event_log->reconnect_delay; });
  add(all, std::move(teardown));
  add(all, std::move(checkpoint));
  add(all, std::move(reconnect));
}

void add_releases(std::vector<FittedProcess>& all, AttemptRecords const& records,
                  scenario::Calibration const& calibration) {
  FittedProcess release{"held to released", {}, 0, {}};
  for (HoldRecord const& hold : records.holds) {
    if (hold.released) {
      release.data.push_back((*hold.released - hold.at).value());
    } else {
      ++release.censored;
    }
  }
  release.draws = some_draws(calibration, [](auto& draw) { return draw.event_log->release_delay; });
  add(all, std::move(release));
}

}  // namespace

std::vector<FittedProcess> table_processes(history::JobTable const& table,
                                           scenario::Calibration const& calibration, int epochs) {
  std::vector<FittedProcess> all;
  Records const records = make_records(table, calibration.sites, Bytes());
  for (auto const& site : calibration.sites) {
    FittedProcess process{"execution at " + site, {}, 0, {}};
    for (ExecutionRecord const& execution : records.executions) {
      if (execution.site != site) continue;
      if (execution.censored()) {
        ++process.censored;
      } else {
        process.data.push_back(execution.seconds);
      }
    }
    process.draws = some_draws(calibration, [&](scenario::ParameterDraw const& draw) {
      scenario::SiteParameters const& here = draw.sites.at(site);
      return moved(here.epoch, epochs, here.unpack.value());
    });
    add(all, std::move(process));
  }
  FittedProcess overhead{"claimed, but neither transferring nor executing", {}, 0, {}};
  for (JobRecord const& job : records.jobs) {
    if (job.overhead) overhead.data.push_back(*job.overhead);
  }
  overhead.draws = some_draws(calibration, [](auto& draw) { return draw.overhead; });
  add(all, std::move(overhead));
  return all;
}

std::vector<FittedProcess> dated_processes(history::JobHistory const& history,
                                           scenario::Calibration const& calibration) {
  std::vector<FittedProcess> all;
  AttemptRecords const records = make_attempt_records(history);
  add_dated_executions(all, history, records, calibration);
  add_gaps(all, records, calibration);
  add_releases(all, records, calibration);
  return all;
}

}  // namespace gridcast::calibration
