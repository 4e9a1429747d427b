// gridcast import submit FILE.sub [--pool POOL | --calibration CAL] -o OUT: a scenario from a
// submit file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/arguments.hpp"
#include "sim/import/calibrated_program.hpp"

namespace gridcast::cli {

struct ImportSubmitOptions {
  std::filesystem::path file, pool, calibration, out;
  std::vector<std::string> sizes;  // URL=SIZE
  import::WorkOptions work;
  double work_scale = 0;   // 0: not given
  std::string crash_odds;  // empty: not given
  bool force = false;
};

int run_import_submit(ImportSubmitOptions const& options);
void add_import_submit(CLI::App& import_group, Select select);

}  // namespace gridcast::cli
