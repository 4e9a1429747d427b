// The work of a job in its owner's terms: `--job-hours 6 --on-gpu A100`. The calibration knows how
// long its own jobs compute at each site; a job that computes for other hours has as many times
// their work. Between GPU models, time follows the catalogue's ResNet-50 speeds.
#pragma once

#include <filesystem>
#include <string>

#include "sim/base/units.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::cli {

struct JobHours {
  double hours = 0;      // 0: not given
  std::string gpu = {};  // a model of the catalogue; empty: the pool's own GPUs
};

struct HoursAsWork {
  double scale = 1;        // of the calibrated jobs' work
  std::string words = {};  // of a note
  Seconds longest = {};    // that a job computes at a site of the pool
};

/// True if a site of the pool has such a GPU; InputError for an unknown one.
bool has_gpu(scenario::Pool const& pool, std::string const& gpu);

/// `campaign`: with the profile and the epochs of its work. InputError for an unknown GPU, and for
/// a workload that the calibration does not know.
HoursAsWork work_of_hours(JobHours const& job, scenario::Campaign const& campaign,
                          std::filesystem::path const& calibration,
                          std::filesystem::path const& pool);

}  // namespace gridcast::cli
