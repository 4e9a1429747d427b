// A recorded campaign re-enacted many times. Under a strategy that decides as the recorded one did,
// every replica is the same, namely the record; under another, replicas differ in what the record
// cannot tell.
#pragma once

#include "sim/history/job_table.hpp"
#include "sim/study/prediction.hpp"

namespace gridcast::study {

/// As predict(), of the recorded jobs instead of the scenario's campaign; the worlds are draws of
/// the scenario's calibration. Its figures compare with the table's under their "table:" names.
Prediction replay_study(history::JobTable const& table, scenario::Scenario const& scenario,
                        scenario::Strategy const& strategy, StudyOptions const& options);

/// All replicas gave the same figures: nothing was drawn that mattered.
bool deterministic(StudySample const& sample);

}  // namespace gridcast::study
