#include "calibration/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "calibration/fits/delay_fit.hpp"
#include "calibration/fits/execution_fit.hpp"
#include "calibration/fits/hazard_fit.hpp"
#include "calibration/fits/speed_fit.hpp"
#include "calibration/fits/stall_tests.hpp"
#include "calibration/fits/table_fit.hpp"
#include "sim/base/closest.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::calibration {

namespace {

std::vector<std::string> names_of(scenario::Pool const& pool) {
  std::vector<std::string> names;
  for (scenario::SiteSpec const& site : pool.sites) names.push_back(site.name);
  return names;
}

// The simulator must know every site that the table has jobs at.
void require_sites_in_pool(history::JobTable const& table, scenario::Pool const& pool,
                           TableCalibrationRequest const& request) {
  std::vector<std::string> const known = names_of(pool);
  std::set<std::string> missing;
  for (history::JobRow const& row : table.rows) {
    for (std::string const& site : row.sites) {
      if (std::find(known.begin(), known.end(), site) == known.end()) missing.insert(site);
    }
  }
  std::vector<Problem> problems;
  for (std::string const& site : missing) {
    problems.push_back({{request.pool.string()},
                        "the pool has no site '" + site + "'",
                        "jobs of the table ran there",
                        "Add it to the pool. " + suggestion(site, known)});
  }
  if (!problems.empty()) throw InputError(problems);
}

void require_transfers(TableRecords const& records, TableCalibrationRequest const& request) {
  bool const any = std::any_of(records.jobs.begin(), records.jobs.end(), [](JobRecord const& job) {
    return job.got_data && job.last_transfer;
  });
  if (any) return;
  throw InputError({{request.tables.front().string()},
                    "no job of the table got its input",
                    "rates and stalls cannot be fitted from failures alone",
                    "Give tables with at least a few successful jobs."});
}

void require_executions(AttemptRecords const& records) {
  bool const any =
      std::any_of(records.attempts.begin(), records.attempts.end(), [](auto const& attempt) {
        return attempt.executing && attempt.exit && attempt.site.valid();
      });
  if (any) return;
  throw InputError({{},
                    "no job of the logs computed to its end at a site",
                    "speeds and work cannot be fitted",
                    "Give logs with at least a few jobs that are done."});
}

UrlInput url_input(history::JobHistory const& history, LogCalibrationOptions const& options) {
  if (history.transfers.empty() && !options.url_sizes.empty()) return {options.url_sizes, false};
  if (options.urls <= 0) return urls_of(history);
  UrlInput input = urls_of(history);
  if (input.sizes.size() != static_cast<std::size_t>(options.urls)) {
    input.sizes.assign(static_cast<std::size_t>(options.urls), Bytes());
  }
  input.assumed = false;
  return input;
}

// Lists of caches are of sites that the log has.
CacheLists known_caches(history::JobHistory const& history, LogCalibrationOptions const& options) {
  std::vector<Problem> problems;
  for (auto const& [site, caches] : options.caches) {
    if (std::find(history.sites.begin(), history.sites.end(), site) != history.sites.end())
      continue;
    problems.push_back(
        {{}, "--caches: the log has no site '" + site + "'", "", suggestion(site, history.sites)});
  }
  if (!problems.empty()) throw InputError(problems);
  return options.caches;
}

void add_slots(Fit& fit, std::vector<SlotCount> const& slots, std::size_t draws) {
  for (SlotCount const& site : slots) {
    Estimate line = site_line("slots", site.site, "1", "most jobs at one time", site.attempts);
    line.estimate = site.slots;
    line.fit = site.saturated ? "jobs waited meanwhile: there were no more"
                              : "jobs did not wait for more: a lower bound";
    add_parameter(fit, line, std::vector<double>(draws, site.slots));
    if (!site.saturated) {
      fit.not_identified.push_back(
          {line.name, "jobs never waited for more slots than these", "the most that were in use"});
    }
  }
}

// Another campaign's program crashes more or less often at all sites.
void widen_crashes(Fit& fit, double between, RandomStream stream) {
  std::vector<double> factors;
  for (std::size_t i = 0; i < fit.draws.rows.size(); ++i) {
    factors.push_back(std::exp(between * normal_quantile(stream.uniform())));
  }
  for (std::size_t c = 0; c < fit.draws.columns.size(); ++c) {
    if (!fit.draws.columns[c].starts_with("crash.")) continue;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      double& p = fit.draws.rows[i][c];
      p = p * factors[i] / (1 - p + p * factors[i]);
    }
  }
}

void say_between_campaigns(Fit& fit, double between) {
  fit.estimates.push_back(
      {.name = "between_campaigns",
       .unit = "1",
       .estimate = between,
       .interval90 = {between, between},
       .method = "given, not fitted: sd from one campaign to the next of ln(release delay) and of "
                 "ln(odds of a crash); in the draws, not in the parameters' intervals"});
  fit.not_identified.push_back({"how the next campaign differs",
                                "one campaign shows one mood of people and one program",
                                "--between-campaigns, see the parameter of that name"});
}

Seconds longest_hang(AttemptRecords const& records) {
  Seconds longest;
  for (AttemptRecord const& attempt : records.attempts) {
    if (input_hung(attempt)) longest = std::max(longest, attempt.claimed());
  }
  return longest;
}

}  // namespace

CalibrationDocument calibrate_from_tables(TableCalibrationRequest const& request) {
  scenario::Pool const pool = scenario::read_pool(request.pool);
  history::JobTable const table = history::read_job_tables(request.tables);
  require_sites_in_pool(table, pool, request);
  RandomStreams const streams(request.seed, 0);
  TableRecords const records = make_table_records(table, names_of(pool), request.input_size);
  require_transfers(records, request);
  std::size_t const draws = request.simulated.stalls.keep;

  CalibrationDocument document;
  append(document.fit, execution_fit(records, request.epochs, draws, streams));
  append(document.fit, counts_fit(records, draws, streams));
  append(document.fit, delays_fit(records, draws, streams));
  Fit const simulated = fit_through_simulator(table, pool, records, request.epochs,
                                              document.fit.draws, request.simulated, streams);
  document.fit.tests = stall_tests(records, streams);
  append(document.fit, simulated);

  document.profile = request.profile;
  document.version = request.version;
  document.command = request.command;
  for (auto const& file : request.tables) {
    document.inputs.push_back(
        {file.string(), sha256(read_text_file(file)), history::read_job_table(file).rows.size()});
  }
  document.pool_file = request.pool.string();
  document.pool_sha256 = sha256(read_text_file(request.pool));
  document.epochs = request.epochs;
  document.input_size = request.input_size;
  document.seed = request.seed;
  return document;
}

LogCalibration calibrate_from_logs(history::JobHistory const& history,
                                   LogCalibrationOptions const& options) {
  AttemptRecords const records = make_attempt_records(history);
  require_executions(records);
  RandomStreams const streams(options.seed, 0);
  std::size_t const draws = options.draws;
  LogCalibration result;
  result.urls = url_input(history, options);
  result.slots = count_slots(history, records);
  result.epochs = records.epochs;
  result.jobs = history.jobs.size();
  result.attempts = records.attempts.size();
  result.plugin_lifetime = longest_hang(records);
  Fit& fit = result.fit;
  add_slots(fit, result.slots, draws);
  fit.draws.add("hold_on_failure", std::vector<double>(draws, 1));
  append(fit, transfer_fit(history, records,
                           {result.urls, known_caches(history, options), options.stall_timer},
                           draws, streams));
  Fit const speed = speed_fit(history.sites, records, draws, streams);
  append(fit, speed);
  append(fit, hazard_fit(history, records, typical_times(speed, history.sites), draws, streams));
  append(fit, gaps_fit(history, records, draws, streams));
  append(fit, people_fit(records, options.between_campaigns, draws, streams));
  widen_crashes(fit, options.between_campaigns,
                bootstrap_stream(streams, DrawsOf::crash_between_campaigns));
  say_between_campaigns(fit, options.between_campaigns);
  return result;
}

}  // namespace gridcast::calibration
