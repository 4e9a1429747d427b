// `gridcast validate --recover N`: campaigns that the model makes, each fitted from what a user would have
// of it and held against what it was made from; here, or in shards (study_on.hpp).
#pragma once

#include <cstdint>
#include <string>

#include "calibration/recovery.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/study_on.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/shards/frozen_study.hpp"
#include "sim/study/shards/shard.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {

/// Plays and answers, or begins a study. `evidence`: "log", "ads" or "table". The exit code.
int recover_parameters(OnArguments const& on, StudyArguments const& arguments,
                       scenario::Scenario const& scenario, std::string const& evidence);

/// How shards of such a study are played; the scenario has to live as long.
study::ShardPlayer recovery_player(scenario::Scenario const& scenario, std::string const& evidence,
                                   std::uint64_t seed);

/// The answer of the shards that are there. The exit code.
int gather_recovery(study::StudyFolder const& folder, study::FrozenScenario const& frozen,
                    study::FoundShards const& found, StudyArguments const& arguments);

}  // namespace gridcast::cli
