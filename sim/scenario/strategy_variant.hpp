// The text of a scenario with other values, or with a strategy that is a variant of another.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"

namespace gridcast::scenario {

/// Names of the files that the new text refers to.
struct VariantFiles {
  std::string pool, calibration;  // from the folder of the new file
};

/// The text of the file with the overrides ("PATH=VALUE") and the comment before its first key.
/// InputError for a value that cannot be, or that is of the file of the pool or the calibration.
std::string with_values(std::filesystem::path const& file,
                        std::vector<std::string> const& overrides);

/// The text of the scenario's file, with its overrides, and with `variant` as another strategy: the
/// keys of `current` and those that differ. Overrides of the pool and of the calibration are in
/// files of their own and stay there. Comments of the file are lost.
std::string with_variant(Scenario const& scenario, Strategy const& current, Strategy const& variant,
                         VariantFiles const& files);

/// The keys of the baseline, without `about`, each as "KEY=VALUE" with a value of YAML on one line:
/// a strategy that differs from it in a few keys has all others of it (--with). Empty for a file
/// that is no scenario.
std::vector<std::string> baseline_keys(std::filesystem::path const& file,
                                       std::vector<std::string> const& overrides);

}  // namespace gridcast::scenario
