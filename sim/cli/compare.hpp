// gridcast compare SCENARIO: which of the scenario's strategies does better, and how sure that is.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"
#include "sim/cli/study_arguments.hpp"

namespace gridcast::cli {

struct CompareOptions {
  std::filesystem::path scenario;
  StudyArguments study;
  std::vector<std::string> overrides = {};  // "PATH=VALUE"
};

int run_compare(CompareOptions const& options);
void add_compare(CLI::App& app, Select select);

}  // namespace gridcast::cli
