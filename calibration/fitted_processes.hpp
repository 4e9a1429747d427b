// The processes of a calibration beside the data that they are fitted to, as far as a record shows
// single durations. The uncertainty of the model is that of its draws.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/mixture.hpp"
#include "sim/history/job_history.hpp"
#include "sim/history/job_table.hpp"
#include "sim/scenario/calibration.hpp"

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

}  // namespace gridcast::calibration
