// The scenario that a verb simulates.
#pragma once

#include <filesystem>

#include "sim/scenario/scenario.hpp"

namespace gridcast {

/// Reads it and checks all that can be checked before anything is simulated. InputError.
Scenario read_runnable_scenario(std::filesystem::path const& file);

}  // namespace gridcast
