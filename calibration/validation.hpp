// A calibration held against what is known: its processes beside the data that they were fitted to,
// as far as single durations can be told from a record (the model's own uncertainty is that of its
// draws); and how often its 90 % intervals hold the true value of a parameter, where that is known:
// of a test pool, which was run with it, and of campaigns that the model itself made.
//
// A folder of truth has sites.json (speeds, transfers, crashes by site; outages of its caches),
// campaign.json (hazards, people) and job.sub (`arguments = WORK EPOCHS MODE SIGMA`). Speeds count
// relative to their geometric mean, as a log cannot tell fast machines from little work.
//
// Campaigns that the model made are simulation-based calibration (Talts et al. 2018, arXiv
// 1804.06788): a row of a calibration's draws is the truth, the engine plays its campaign, what a
// user would have of it is fitted, and the 90 % interval of each parameter holds the truth or does
// not. With the model right, 90 % of them do; of n cases the share has the standard error sqrt(0.9
// x 0.1 / n), more where cases of one campaign depend on each other. And the rank of the truth
// among the fit's draws is uniform: tested by Kolmogorov's distance, with Stephens' (1970)
// correction for few cases. Only nearly so where, as here, the truths are rows of a calibration and
// the fit has a prior of its own.
//
// Of a distribution, whose family is drawn as well, not the parameters are held against the truth,
// which mean another thing in each family, but its median and its 95 % point over its 5 % point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "sim/base/mixture.hpp"
#include "sim/history/job_history.hpp"
#include "sim/history/job_table.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/replica_pool.hpp"

namespace gridcast::calibration {

struct FittedProcess {
  std::string name;                        // "execution at PDX"
  std::vector<double> data;                // seconds, ascending
  std::size_t censored = 0;                // known only to have lasted longer; not in the data
  std::vector<DistributionMixture> draws;  // of seconds
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

/// How often the intervals of one parameter held its true value, of the campaigns in which it does
/// anything and that had events of it.
struct RecoveredParameter {
  std::string name;
  std::size_t cases = 0, inside = 0;
  std::size_t below = 0;           // the truth lay below the interval
  std::vector<double> ranks = {};  // of the truths among the draws, 0 to 1
};

/// Probability that ranks of right fits are as far from uniform; 1 for none.
double uniform_ranks_p_value(std::vector<double> const& ranks);

struct RecoveryStudy {
  std::vector<RecoveredParameter> parameters;
  std::size_t campaigns = 0, failed = 0;
  std::string why_failed = {};  // the first that did
  bool interrupted = false;     // some that were asked for are neither
};

struct RecoveryOptions {
  std::size_t campaigns = 40;
  std::uint64_t seed = 1;
  unsigned processes = 1;
  study::Progress progress;
};

/// Fits the record that a user would have of a simulated campaign.
using FitOfCampaign = std::function<Fit(history::JobHistory const& simulated)>;

/// Simulates and fits one campaign after the other; `fit` runs in child processes.
RecoveryStudy recover_simulated(scenario::Scenario const& scenario, FitOfCampaign const& fit,
                                RecoveryOptions const& options);

}  // namespace gridcast::calibration
