// gridcast replay FILE...: a recorded campaign once more, as it was or under another strategy.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"
#include "sim/cli/study_arguments.hpp"

namespace gridcast::cli {

struct ReplayOptions {
  std::vector<std::filesystem::path> files;
  std::filesystem::path scenario;  // empty: the shipped one
  std::string strategy;            // empty: the scenario's baseline
  StudyArguments study;
};

int run_replay(ReplayOptions const& options);
void add_replay(CLI::App& app, Select select);

}  // namespace gridcast::cli
