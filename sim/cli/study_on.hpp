// Studies whose replicas others play: `compare --on slurm`, and what `study resume` does again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/calibrate.hpp"
#include "sim/cli/score_plan.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/shards/frozen_study.hpp"
#include "sim/study/shards/shard.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {

struct OnArguments {
  std::string system;           // empty: the study is played here, without a folder
  std::filesystem::path study;  // its folder; empty: named after the scenario
  std::optional<std::uint32_t> shard_size;
  std::vector<std::string> submit_lines = {};
};

/// --on, --study, --shard-size, --submit-option.
void add_on_options(Verb& verb, OnArguments& arguments);
/// --on and --submit-option alone.
void add_system_options(Verb& verb, OnArguments& arguments);

/// -j alone.
void add_jobs_option(Verb& verb, StudyArguments& arguments);

/// What is asked.
struct AskedStudy {
  study::StudyKind kind = study::StudyKind::comparison;
  scenario::Scenario const& scenario;
  std::string strategy = {};                        // of a prediction, of a recovery
  std::vector<std::filesystem::path> records = {};  // likewise
  RecordArguments record = {};
  std::string evidence = {};  // of a recovery
};

/// How shards of what is asked are played; scenario and strategies have to live as long.
study::ShardPlayer shard_player(study::StudyQuestion const& question,
                                scenario::Scenario const& scenario,
                                std::vector<scenario::Strategy> const& strategies);

/// The same of a frozen study, which has to live as long.
study::ShardPlayer shard_player(study::FrozenStudy const& study,
                                study::FrozenScenario const& frozen);

/// Makes the study's folder, hands its shards over and says what to do next; played here (local),
/// it goes on to the answer. The exit code.
int begin_study(OnArguments const& on, StudyArguments const& arguments, AskedStudy const& asked);

/// The same of forecasts that are scored. `of`: what they are called, and the folder is named
/// after.
int begin_scores(OnArguments const& on, StudyArguments const& arguments, ScorePlan const& plan,
                 std::vector<std::filesystem::path> const& records, std::string const& of);

/// The same of the simulations that a calibration is fitted with, round by round.
int begin_calibration(OnArguments const& on, StudyArguments const& arguments,
                      TableCalibration const& asked);

/// Plays or hands over what has no result and is not in a queue; shards with failed replicas again.
int resume_study(study::StudyFolder& folder, OnArguments const& on,
                 StudyArguments const& arguments);

}  // namespace gridcast::cli
