// Likelihood of the executions of a campaign (speed_fit.hpp), jobs' own factors integrated out.
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/attempt_record.hpp"

namespace gridcast::calibration {

struct Execution {
  enum class Kind { whole, longer, crash } kind = Kind::whole;
  std::size_t site = 0;
  double log_time = 0;  // of the part that was computed, scaled to all epochs
  double rounding = 0;  // variance of it that stamps' rounding makes
};

/// The executions of each job that has any.
std::vector<std::vector<Execution>> executions_by_job(AttemptRecords const& records);

struct SpeedParameters {
  double log_work = 0;
  double job_sigma = 0;
  double execution_sigma = 0;
  std::vector<double> log_speeds;
};

/// ln of the likelihood of one job: normal for whole executions, Gauss-Hermite over what those
/// leave open of the job's factor for the others.
double log_likelihood(std::vector<Execution> const& job, SpeedParameters const& at);

}  // namespace gridcast::calibration
