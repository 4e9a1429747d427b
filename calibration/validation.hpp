// A calibration held against what is known: its processes beside the data that they were fitted to, as
// far as single durations can be told from a record (the model's own uncertainty is that of its draws);
// and its intervals against the parameters that a test pool was run with: how often a 90 % interval
// holds the true value.
//
// A folder of truth has sites.json (speeds, transfers, crashes by site; outages of its caches),
// campaign.json (hazards, people) and job.sub (`arguments = WORK EPOCHS MODE SIGMA`). Speeds count relative
// to their geometric mean, as a log cannot tell fast machines from little work.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "sim/base/random.hpp"
#include "sim/history/job_table.hpp"
#include "sim/scenario/calibration.hpp"

namespace gridcast::calibration {

struct FittedProcess {
  std::string name;                 // "execution at PDX"
  std::vector<double> data;         // seconds, ascending
  std::size_t censored = 0;         // known only to have lasted longer; not in the data
  std::vector<Distribution> draws;  // of seconds
};

/// Executions at each site and overheads, of a job table; `epochs` a job.
std::vector<FittedProcess> table_processes(history::JobTable const& table,
                                           scenario::Calibration const& calibration, int epochs);
/// Executions at each site that nothing interrupted, teardown, checkpoints, releases,
/// reconnections.
std::vector<FittedProcess> log_processes(history::JobHistory const& history,
                                         scenario::Calibration const& calibration);

/// `parameters` of a calibration file.
std::vector<Estimate> read_parameters(std::filesystem::path const& calibration);

struct TrueParameter {
  std::string name;
  double value = 0;
};

/// Parameters of the sites in `sites`. InputError for a folder without the files.
std::vector<TrueParameter> read_truth(std::filesystem::path const& folder,
                                      std::vector<std::string> const& sites);

struct Recovery {
  Estimate fitted;
  double truth = 0;
  bool identified = false;  // the log holds at least one event of it
  bool inside = false;
};

struct RecoveryTable {
  std::vector<Recovery> rows;
  std::size_t inside = 0;  // of all rows
  std::size_t identified = 0, identified_inside = 0;
};

RecoveryTable recover(std::vector<Estimate> const& fitted, std::vector<TrueParameter> const& truth);

}  // namespace gridcast::calibration
