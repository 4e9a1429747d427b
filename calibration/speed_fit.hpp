// How long the program computes: job i at site s takes, for all its epochs,
//   ln time = ln work + job_sigma z_i + execution_sigma z_ij - ln speed_s
// a mixed model in which the same job's executions at several sites tell the site from the job.
// Executions that ended from outside are lower bounds; crashes too, with the density 1/time of a
// point anywhere in the time (docs/calibration.md). Speeds are relative: their geometric mean over
// the sites is 1.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "calibration/attempt_record.hpp"
#include "calibration/estimate.hpp"
#include "calibration/posterior.hpp"

namespace gridcast::calibration {

Fit speed_fit(std::vector<std::string> const& sites, AttemptRecords const& records,
              std::size_t draws, RandomStreams const& streams);

/// Expected whole-job seconds at each site, from the posterior medians of a fit: exp(median of
/// ln work) / speed.
std::vector<double> typical_times(Fit const& speed, std::vector<std::string> const& sites);

}  // namespace gridcast::calibration
