// Which value counts if several files give one: the pool's file, the calibration's draws, the
// values that the scenario states, and --set. A value that does not count is refused or noted.
//
// A pool's number of slots may be the record's own: the most slots that it saw in use (`estimate`
// of slots.SITE). Then the draws count, which allow for more slots (docs/model.md, A-MORE-SLOTS).
// Any other number is the owner's, and so is a number of slots or GPUs that --set gives: it counts,
// and the draws do not.
#pragma once

#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {

/// Leaves `slots` in the draws of sites for which the draws' number counts, and removes it from the
/// others. Called after the stated values were put over the draws.
void choose_slots(ScenarioEntries& scenario, OverridesByFile const& overrides);

/// Keeps the rules that the recorded jobs had. Values that the user sets (--set, the browser) are
/// rules of the next jobs. A strategy that is the baseline by another name is not compared with it.
/// `text`: of the scenario, as its file has it.
void keep_record_strategy(std::string const& text, std::vector<Override> const& overrides,
                          ScenarioEntries& scenario);

/// Stated parameters of sites that do not exist, or that the pool decides.
void check_stated(YamlDocument& document, ScenarioEntries const& scenario);

/// Numbers of slots and GPUs that an option sets and that have no effect. A pool's file may contain
/// GPUs beside its slots without a note: a record reports both.
void check_counts_set(YamlDocument& document, OverridesByFile const& overrides,
                      Scenario const& scenario);

/// Keys of a pool's file that have no effect because the calibration's record measured the process
/// (docs/model.md, Negotiator and Pilots). Refuses those that an option sets, and returns a note
/// for each other one: a pool may be used with several calibrations.
std::vector<Problem> keys_without_effect(YamlDocument& document, YamlDocument const& pool,
                                         OverridesByFile const& overrides,
                                         Scenario const& scenario);

}  // namespace gridcast::scenario
