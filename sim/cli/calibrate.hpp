// gridcast calibrate FILE... --pool POOL -o OUT: a calibration file from recorded campaigns.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/arguments.hpp"

namespace gridcast {

struct CalibrateOptions {
  std::vector<std::filesystem::path> files;
  std::filesystem::path pool;
  std::filesystem::path out;
  int epochs = 5;
  std::string input_size = "137 GB";
  std::uint64_t seed = 1;
  unsigned processes = 0;  // 0: as many as there are cores
  bool verbose = false;
};

int run_calibrate(CalibrateOptions const& options);
void add_calibrate(CLI::App& app, Select select);

}  // namespace gridcast
