// The jobs of a record as a file beside a calibration: a forecast can repeat them without the
// record. JSON; schema gridcast.jobs/1. Times are seconds.
//
//   {"schema": "gridcast.jobs/1", "sites": ["PDX"], "gpus": [{"model": "V100", "count": 1}],
//    "gpus_per_job": 1, "jobs": [{"cluster": 7, "submitted_s": 0, "attempts": [...]}]}
#pragma once

#include <filesystem>
#include <string>

#include "sim/history/recorded_jobs.hpp"

namespace gridcast::history {

/// The text of the file. Job names are left out: a forecast names its own jobs.
std::string recorded_jobs_text(RecordedJobs const& recorded);

/// InputError for a file that is absent, is not of this schema, or contains impossible values.
RecordedJobs read_recorded_jobs(std::filesystem::path const& file);

}  // namespace gridcast::history
