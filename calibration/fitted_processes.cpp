#include "calibration/fitted_processes.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "calibration/fits/delay_fit.hpp"
#include "calibration/records/attempt_record.hpp"
#include "calibration/records/table_records.hpp"

namespace gridcast::calibration {

namespace {

constexpr std::size_t most_draws = 200;

/// Evenly chosen, so that each draw stands for as many.
std::vector<DistributionMixture> some_draws(
    scenario::Calibration const& calibration,
    std::function<DistributionMixture(scenario::ParameterDraw const&)> const& of) {
  std::vector<DistributionMixture> draws;
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

// Log time of the median job at a site: work / speed, with the noise of jobs and executions.
DistributionMixture log_execution(scenario::ParameterDraw const& draw, std::string const& site) {
  double const typical = draw.work.value() / draw.sites.at(site).speed;
  auto const around = [&](double center, double job_sigma) {
    double const sigma = std::hypot(job_sigma, draw.execution_sigma);
    return Distribution{Family::lognormal, std::max(sigma, 1e-6), typical * std::exp(center), 0};
  };
  std::vector<DistributionMixture::Part> kinds;
  for (scenario::WorkKind const& kind : draw.work_kinds) {
    if (kind.share <= 0) continue;
    kinds.push_back(
        {around(draw.job_sigma * kind.center, draw.job_sigma * kind.sigma), kind.share});
  }
  if (kinds.empty()) return around(0, draw.job_sigma);
  return DistributionMixture(std::move(kinds));
}

/// From the first attempt's start of computing to its end, where nothing came in between.
bool undisturbed(AttemptRecord const& attempt) {
  return attempt.number == 1 && attempt.executing && attempt.exit && attempt.useful &&
         attempt.end_kind == history::EventKind::terminated && attempt.suspensions_begun == 0 &&
         attempt.disconnections.empty();
}

void add_log_executions(std::vector<FittedProcess>& all, history::JobHistory const& history,
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
      return log_execution(draw, name);
    });
    add(all, std::move(process));
  }
}

/// What was seen of a delay, with its distribution in the draws.
void add_delay(std::vector<FittedProcess>& all, std::string name, std::vector<Delay> const& delays,
               scenario::Calibration const& calibration,
               Distribution scenario::ParameterDraw::*distribution) {
  FittedProcess process{std::move(name), {}, 0, {}};
  for (Delay const& delay : delays) {
    if (delay.censored) {
      ++process.censored;
    } else {
      process.data.push_back(delay.seconds);
    }
  }
  process.draws = some_draws(calibration, [&](auto& draw) { return draw.*distribution; });
  add(all, std::move(process));
}

}  // namespace

std::vector<FittedProcess> table_processes(history::JobTable const& table,
                                           scenario::Calibration const& calibration, int epochs) {
  std::vector<FittedProcess> all;
  TableRecords const records = make_table_records(table, calibration.sites, Bytes());
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
  overhead.draws = some_draws(calibration, [](auto& draw) { return draw.teardown; });
  add(all, std::move(overhead));
  return all;
}

std::vector<FittedProcess> log_processes(history::JobHistory const& history,
                                         scenario::Calibration const& calibration) {
  std::vector<FittedProcess> all;
  AttemptRecords const records = make_attempt_records(history);
  add_log_executions(all, history, records, calibration);
  auto const add = [&](char const* name, std::vector<Delay> const& delays,
                       Distribution scenario::ParameterDraw::*distribution) {
    add_delay(all, name, delays, calibration, distribution);
  };
  add("exit to slot free", teardowns(records), &scenario::ParameterDraw::teardown);
  add("storing a checkpoint", checkpoints(records), &scenario::ParameterDraw::checkpoint);
  add("disconnected to found again", reconnections(records),
      &scenario::ParameterDraw::reconnect_delay);
  add("held to released", release_delays(records), &scenario::ParameterDraw::release_delay);
  return all;
}

}  // namespace gridcast::calibration
