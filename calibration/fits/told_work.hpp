// What each job of a record tells of its work, as if it had run once: its first execution that came
// to an end, or else the one that something outside cut last, by the speed of its site. A job whose
// executions were all cut is longer than any of them, and one that ended was not longer than the
// last, so that is where it would have been cut. A job of which nothing but crashes is known tells
// nothing here: a crash comes at a share of the job's time, long or short, and so leaves jobs out
// without regard to their work; counted as cut then, long ones would be too many.
#pragma once

#include <vector>

#include "calibration/fits/speed_fit.hpp"
#include "calibration/inference/censored_families.hpp"

namespace gridcast::calibration {

/// ln of what is expected of an execution of jobs with such a work.
double expected_log_time(TimedExecution const& one, double log_work, SpeedParameters const& at);

/// Nothing where the job tells nothing.
TimedExecution const* told_execution(std::vector<TimedExecution> const& job,
                                     SpeedParameters const& at);

/// Of each site, what its jobs tell in standard deviations from what one lognormal expects.
std::vector<Sample> standardised_times(std::vector<std::vector<TimedExecution>> const& jobs,
                                       SpeedParameters const& at);

/// Between the product-limit curve of what jobs tell and their mixture.
double distance_of_kinds(std::vector<std::vector<TimedExecution>> const& jobs,
                         SpeedParameters const& at);

}  // namespace gridcast::calibration
