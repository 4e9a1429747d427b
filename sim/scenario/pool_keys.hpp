// Keys of a pool's file that do nothing with the calibration at hand: what its record measured
// stands for the process that they are about (docs/model.md, Negotiator and Pilots).
#pragma once

#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {

/// Refuses those that an option sets, and returns a note for each other that the pool's file has:
/// one pool may be used with several calibrations.
std::vector<Problem> keys_without_effect(YamlDocument& document, YamlDocument const& pool,
                                         OverridesByFile const& overrides,
                                         Scenario const& scenario);

}  // namespace gridcast::scenario
