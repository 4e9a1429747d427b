// `gridcast validate --recover N`: campaigns that the model makes, each fitted from what a user
// would have of it and held against what it was made from; here, or in shards (study_on.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "calibration/validation.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/study_on.hpp"
#include "sim/report/page/document.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/shards/frozen_study.hpp"
#include "sim/study/shards/shard.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {

// What `gridcast validate --recover` tells: of each parameter in how many simulated campaigns its
// 90 % interval held the truth, and where the truth ranked among the draws. Simulation-based
// calibration (Talts et al. 2018): of an exact posterior the ranks are uniform.

struct RecoveryFacts {
  std::string scenario, evidence;
  std::uint64_t seed = 1;
  std::size_t requested = 0;  // campaigns
};

/// "21 of 25 (84 %)", "none" of none.
std::string count_and_percent(std::size_t part, std::size_t all);

std::string recovery_text(calibration::RecoveryStudy const& found);
std::string recovery_json(calibration::RecoveryStudy const& found, RecoveryFacts const& facts);
/// A row for each rank.
std::string recovery_csv(calibration::RecoveryStudy const& found);
/// Without the program, the command and the provenance.
report::ReportDocument recovery_page(calibration::RecoveryStudy const& found,
                                     RecoveryFacts const& facts);

/// Plays and answers, or begins a study. `evidence`: "log", "ads" or "table". The exit code.
int recover_parameters(OnArguments const& on, StudyArguments const& arguments,
                       scenario::Scenario const& scenario, std::string const& evidence);

/// How shards of such a study are played; the scenario has to live as long.
study::ShardPlayer recovery_player(scenario::Scenario const& scenario, std::string const& evidence,
                                   std::uint64_t seed);

/// Of one that has to live as long: what the shards of such a study can bring back.
study::PossibleRecord possible_recovery(scenario::Scenario const& scenario);

/// The answer of the shards that are there. The exit code.
int gather_recovery(study::StudyFolder const& folder, study::FrozenScenario const& frozen,
                    study::FoundShards const& found, StudyArguments const& arguments);

}  // namespace gridcast::cli
