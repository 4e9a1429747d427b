// gridcast calibrate FILE... [--pool POOL] -o OUT: a calibration file from recorded campaigns,
// which are job tables, or event logs with ads if there are any.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/arguments.hpp"

namespace gridcast::cli {

struct CalibrateOptions {
  std::vector<std::filesystem::path> files;
  std::filesystem::path pool;
  std::filesystem::path out;
  int epochs = 5;
  std::string input_size = "137 GB";
  std::uint64_t seed = 1;
  unsigned processes = 0;  // 0: as many as there are cores
  bool verbose = false, quiet = false;

  // Of event logs.
  int year = 0;  // 0: as the log says
  std::string time_zone;
  std::string profile = "campaign";
  std::filesystem::path submit;  // of the campaign; empty: not given
  int urls = 0;                  // of a job; 0: as the ads or the submit file say
  int draws = 400;
  double between_campaigns = 0.25;
};

int run_calibrate(CalibrateOptions const& options);
void add_calibrate(CLI::App& app, Select select);

}  // namespace gridcast::cli
