// A scenario's file with one more strategy, for a search that found one.
#pragma once

#include <string>

#include "sim/scenario/scenario.hpp"

namespace gridcast::scenario {

/// Names of the files that the new text refers to.
struct VariantFiles {
  std::string pool, calibration;  // from the folder of the new file
};

/// The text of the scenario's file, with its overrides, and with `variant` as another strategy: the
/// keys of `current` and those that differ. Overrides of the pool and of the calibration are in
/// files of their own and stay there. Comments of the file are lost.
std::string with_variant(Scenario const& scenario, Strategy const& current, Strategy const& variant,
                         VariantFiles const& files);

}  // namespace gridcast::scenario
