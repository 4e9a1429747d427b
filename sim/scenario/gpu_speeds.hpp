// Calibrated work on other GPU models. The recorded jobs computed on the GPUs of the calibration's
// own pool. At a site with another model the same work takes
//   time = calibrated time * v(recorded model) / v(model of the site)
// where v is images_per_s of the catalogue (hardware.yaml). The fit of site speeds has the same
// prior (calibration/fits/speed_fit.hpp). A model without an entry leaves the time unchanged.
// Example: 6 h on a V100 with 16 GB (356 images/s) are 2.3 h on an A100 (938 images/s).
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "sim/scenario/calibration.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::scenario {

struct GpuSpeeds {
  std::map<std::string, double> recorded, pool;  // images/s by site, if known

  /// The speed at a site of the pool over that at the recorded site whose parameters it has; 1 if
  /// one of them is unknown.
  double ratio(std::string const& site, std::string const& recorded_site) const;
};

/// Nothing if the calibration names no pool.
GpuSpeeds gpu_speeds(Pool const& pool, Calibration const& calibration);
/// The same; nothing if all sites are recorded ones on the same GPUs, where each ratio is 1.
GpuSpeeds changed_gpu_speeds(Pool const& pool, Calibration const& calibration);

/// The GPU models on which the campaign's jobs may run and the recorded jobs did not; empty if
/// there is none:
///   "NVIDIA H200 (5.5 times as fast as the record's V100 by the catalogue)"
std::string other_gpus(Pool const& pool, Request const& request,
                       std::filesystem::path const& recorded_pool);

}  // namespace gridcast::scenario
