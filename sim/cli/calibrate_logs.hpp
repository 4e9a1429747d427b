// gridcast calibrate LOG... [ADS...] -o OUT: a calibration of a dated history, and the pool beside
// it.
#pragma once

#include <filesystem>
#include <vector>

#include "sim/cli/calibrate.hpp"

namespace gridcast::cli {

/// Whether the files are job tables (CSV) rather than event logs or ads.
bool are_job_tables(std::vector<std::filesystem::path> const& files);

int run_calibrate_logs(CalibrateOptions const& options);

}  // namespace gridcast::cli
