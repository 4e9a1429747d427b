// gridcast predict SCENARIO: what a campaign will cost, as a distribution.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"
#include "sim/cli/study_arguments.hpp"

namespace gridcast::cli {

struct PredictOptions {
  std::filesystem::path scenario;
  std::string strategy;                        // empty: the baseline
  std::vector<std::filesystem::path> against;  // a campaign that took place
  StudyArguments study;
  std::vector<std::string> overrides = {};  // "PATH=VALUE"
};

int run_predict(PredictOptions const& options);
void add_predict(CLI::App& app, Select select);

}  // namespace gridcast::cli
