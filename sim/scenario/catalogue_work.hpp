// Campaigns whose work is a workload of the catalogue: what the scenario names is looked up, and
// what makes no sense with it is told where it stands. Whether the jobs fit what they run on is
// the training models' to say (sim/training/campaign_training.hpp).
#pragma once

#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {

/// The campaign's workload, and those of its strategies, unless they are calibrated.
void read_catalogue_work(YamlDocument& document, ScenarioEntries& scenario);

/// The sites where its jobs may run name GPUs and machines that the catalogue knows.
void check_catalogue_hardware(YamlDocument& pool, Scenario const& scenario);

}  // namespace gridcast::scenario
