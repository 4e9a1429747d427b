#include "calibration/calibrate.hpp"

#include <algorithm>
#include <set>

#include "calibration/counts_fit.hpp"
#include "calibration/delays_fit.hpp"
#include "calibration/execution_fit.hpp"
#include "calibration/posterior.hpp"
#include "calibration/stall_test.hpp"
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
                           CalibrationRequest const& request) {
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

void require_transfers(Records const& records, CalibrationRequest const& request) {
  bool const any = std::any_of(records.jobs.begin(), records.jobs.end(), [](JobRecord const& job) {
    return job.got_data && job.last_transfer;
  });
  if (any) return;
  throw InputError({{request.tables.front().string()},
                    "no job of the table got its input",
                    "rates and stalls cannot be fitted from failures alone",
                    "Give tables with at least a few successful jobs."});
}

}  // namespace

CalibrationDocument calibrate(CalibrationRequest const& request) {
  scenario::Pool const pool = scenario::read_pool(request.pool);
  history::JobTable const table = history::read_job_tables(request.tables);
  require_sites_in_pool(table, pool, request);
  RandomStreams const streams(request.seed, 0);
  Records const records = make_records(table, names_of(pool), request.input_size);
  require_transfers(records, request);
  std::size_t const draws = request.simulated.stalls.keep;

  CalibrationDocument document;
  append(document.fit, execution_fit(records, request.epochs, draws, streams));
  append(document.fit, counts_fit(records, draws, streams));
  append(document.fit, delays_fit(records, draws, streams));
  SimulatedFit const simulated = fit_through_simulator(
      table, pool, records, request.epochs, document.fit.draws, request.simulated, streams);
  document.fit.tests = stall_tests(records, streams);
  append(document.fit, simulated.fit);
  document.model_weights = simulated.weights;

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

}  // namespace gridcast::calibration
