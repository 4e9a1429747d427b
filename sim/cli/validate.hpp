// gridcast validate --truth DIR CALIBRATION: a calibration held against the parameters that a test
// pool was run with.
#pragma once

#include <filesystem>

#include "sim/cli/arguments.hpp"
#include "sim/cli/report_file.hpp"

namespace gridcast::cli {

struct ValidateOptions {
  std::filesystem::path calibration;
  std::filesystem::path truth;
  ReportArguments report = {};
  bool force = false;
};

int run_validate(ValidateOptions const& options);
void add_validate(CLI::App& app, Select select);

}  // namespace gridcast::cli
