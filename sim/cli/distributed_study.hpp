// Predictions, comparisons and searches that run in shards: `compare --on slurm` begins one,
// `compare resume` continues it, and `compare gather` gives its answer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/command_line.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/optimize/optimum.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/shards/frozen_study.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {

// The options and the answer of a search for the best strategy, made here (`optimize`) or in shards
// (`optimize --on`, `compare gather`).

/// `as`: a name of a party. `budget`: "2 min", "5000 campaigns".
optimize::OptimizeOptions optimize_options(std::string const& as, std::string const& budget,
                                           study::StudyOptions const& study);

/// Prints the answer, and writes the scenario with the strategy "optimized" to `out` unless it is
/// empty. Returns the exit code.
int answer(StudyArguments const& arguments, scenario::Scenario const& scenario,
           optimize::Optimum const& optimum, fs::path const& out);

struct OnArguments {
  std::string system;  // empty: the study runs here, without a folder
  fs::path study;      // its folder; empty: named after the scenario
  std::optional<std::uint32_t> shard_size;
  std::vector<std::string> submit_lines = {};
};

/// --on, and the options that need it: --study, --shard-size, --submit-option. Returns --on.
Option add_on_options(Verb& verb, OnArguments& arguments);
/// --on alone.
Option add_system_option(Verb& verb, OnArguments& arguments);
/// --submit-option alone.
Option add_submit_option(Verb& verb, OnArguments& arguments);

/// The question of the user.
struct AskedStudy {
  study::StudyKind kind = study::StudyKind::comparison;
  scenario::Scenario const& scenario;
  std::string strategy = {};           // of a prediction or a search
  std::vector<fs::path> records = {};  // of a prediction
  RecordArguments record = {};
  std::string party = {}, budget = {};  // of a search
};

/// Makes the study's folder, submits its shards and names the next command; with --on local it runs
/// all shards here and answers. The exit code.
int begin_study(OnArguments const& on, StudyArguments const& arguments, AskedStudy const& asked);

/// Simulates one shard of a study of any kind. Nothing if it was interrupted.
std::optional<study::ShardResult> simulated_shard(study::Shard const& shard,
                                                  study::StudyQuestion const& question,
                                                  study::FrozenScenario const& frozen,
                                                  study::StudyOptions const& options);

/// Runs or submits all shards that have no result and are in no queue, and repeats shards with
/// failed replicas.
int resume_study(study::StudyFolder& folder, OnArguments const& on,
                 StudyArguments const& arguments);

/// The answer of the results in the folder, with a note on stderr about missing ones; then it
/// writes the folder's attempts.csv.
int gather_study(study::StudyFolder& folder, StudyArguments const& arguments);

}  // namespace gridcast::cli
