// The scenario that a verb simulates.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

/// Reads it and checks all that can be checked before anything is simulated. `overrides`: as
/// read_scenario takes them. InputError.
scenario::Scenario read_runnable_scenario(std::filesystem::path const& file,
                                          std::vector<std::string> const& overrides = {});

}  // namespace gridcast::cli
