// gridcast scale-scenario: a campaign of any size, to see what a machine can carry.
#pragma once

#include <filesystem>

#include "sim/cli/arguments.hpp"
#include "sim/scenario/scale_scenario.hpp"

namespace gridcast::cli {

struct ScaleScenarioOptions {
  scenario::ScaleParameters parameters;
  std::filesystem::path out;
  bool force = false, quiet = false;
};

int run_scale_scenario(ScaleScenarioOptions const& options);
void add_scale_scenario(CLI::App& app, Select select);

}  // namespace gridcast::cli
