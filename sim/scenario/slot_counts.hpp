// How many slots a site has is told by its pool's file, by the calibration's draws, by what the
// owner states in the scenario and by --set: which of them counts, and what is refused as it does
// not.
//
// A pool's number that is the record's own, the most slots that it saw in use (`estimate` of
// slots.SITE), says no more than the draws do, which know that there may be others (docs/model.md,
// A-MORE-SLOTS): the draws count. Any other number is the owner's, and so is one of slots or GPUs
// that --set gives: it counts, and the draws do not.
#pragma once

#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {

/// Leaves `slots` in the draws at sites where the draws' number counts, and takes it from the
/// others. After what is stated was put over the draws.
void choose_slots(ScenarioEntries& scenario, OverridesByFile const& overrides);

/// Stated parameters of sites that are not there, or that the pool decides.
void check_stated(YamlDocument& document, ScenarioEntries const& scenario);

/// Numbers of slots and GPUs that an option sets and that do nothing. A pool's file may have GPUs
/// beside its slots without being told so: a record tells both.
void check_counts_set(YamlDocument& document, OverridesByFile const& overrides,
                      Scenario const& scenario);

}  // namespace gridcast::scenario
