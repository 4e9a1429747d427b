// What the shards of a study are played from, wherever they are: one folder with all of it, as it
// was when the study was begun.
//
//   study.json        what is asked, with the SHA-256 of each file and of itself
//   tree/...          the scenario with the files that it names, as they lie to one another
//   records/N-NAME    records of a campaign that took place (predict --against)
//   scores.json       what forecasts are held against (validate --against, --leave-one), whose
//                     scenarios are in the tree
//   calibration.json  how tables are fitted (calibrate), which are among the records
//   share/gridcast/   what the program ships and reads: the catalogue of profiles
//   program/          this very program with its libraries and loader, and `run`, which starts it
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/shards/shard.hpp"

namespace gridcast::study {

enum class StudyKind { prediction, comparison, recovery, scores, calibration };
/// The verb that begins a study of this kind: "predict".
std::string_view verb(StudyKind kind);

/// What is asked.
struct StudyQuestion {
  StudyKind kind = StudyKind::comparison;
  std::string scenario;                   // its file, as it was named; of others: what is asked
  std::string system;                     // that it was begun for: "slurm", "local"
  std::vector<std::string> submit_lines;  // for that one (SubmitOptions)
  std::vector<std::string> overrides;     // "PATH=VALUE"
  std::string strategy;                   // of a prediction
  std::string evidence;                   // of a recovery: what is fitted of each campaign
  std::uint32_t replicas = 0;
  std::uint64_t seed = 1;
  engine::NetworkModel network = engine::NetworkModel::automatic;
  Seconds horizon, time_limit;
  std::vector<std::string> records;  // as they were named; of a calibration: the pool, then tables;
                                     // of scores: those that were read, which are not frozen
  std::string columns;               // how they are read (import::RecordOptions)
  bool prefix = false;
};

struct FrozenFile {
  std::string path;  // in the folder
  std::string sha256;
};

struct FrozenStudy {
  std::filesystem::path folder;
  StudyQuestion question;
  std::string command;                      // that began it
  std::int64_t begun = 0;                   // Unix time, in s
  std::string version, revision;            // of gridcast
  std::string build, arithmetic;            // sim/study/journal.hpp
  std::string fingerprint;                  // study_fingerprint()
  std::size_t strategies = 1;               // that it plays
  std::uint32_t shard_size = 1;             // replicas a shard
  Seconds replica_takes;                    // one, under all strategies, on one processor
  Bytes memory;                             // that a process took
  Bytes size;                               // of the folder
  std::string scenario_file;                // in the folder; empty of what has none
  std::vector<std::string> forecast_files;  // in the folder: the scenarios of scores
  std::vector<std::string> record_files;
  std::string columns_file;            // empty: of no file, or one that is shipped
  std::vector<FrozenFile> files;       // all but study.json
  std::vector<std::string> originals;  // what it is a copy of, by paths from the root
  /// "gridcast-0123456789ab": by which a batch system knows the study's jobs. Each study has a name
  /// of its own, also where two ask the same; it goes with a folder that is moved.
  std::string job_name;
};

/// Makes `folder`/frozen, there whole or not at all. `scenario`: as it was read. InputError for
/// what a frozen copy would not find, and for names that study.json cannot hold.
void freeze(std::filesystem::path const& folder, StudyQuestion const& question,
            scenario::Scenario const& scenario, std::vector<std::filesystem::path> const& records,
            ShardPlan const& plan, std::string const& command);

/// The same of many forecasts: their scenarios, and what they are held against, as text.
void freeze_scores(std::filesystem::path const& folder, StudyQuestion const& question,
                   std::vector<scenario::Scenario> const& scenarios, std::string const& scores,
                   ShardPlan const& plan, std::string const& command);
/// Where that text is.
std::filesystem::path scores_file(FrozenStudy const& study);

/// The same of a calibration: the question's records, and how they are fitted, as text.
void freeze_calibration(std::filesystem::path const& folder, StudyQuestion const& question,
                        std::string const& request, ShardPlan const& plan,
                        std::string const& command);
std::filesystem::path calibration_request(FrozenStudy const& study);

/// Which of a frozen folder's files are held against their SHA-256. A shard leaves out its own
/// program, which could not tell of itself, and would take a twentieth of a second: whoever hands
/// shards over has looked.
enum class FrozenFiles { all, but_program };

/// Reads a frozen folder and checks its files. InputError if one was changed.
FrozenStudy read_frozen(std::filesystem::path const& folder, FrozenFiles files = FrozenFiles::all);

struct FrozenScenario {
  scenario::Scenario scenario;                 // empty of scores and calibrations
  std::vector<scenario::Strategy> strategies;  // that the study plays
  StudyOptions options;
};
/// InputError if it is not the one that the study was begun with, or the program is of another
/// build.
FrozenScenario open_frozen(FrozenStudy const& study);

/// InputError if this program is not the study's.
void check_computes_alike(FrozenStudy const& study);
/// InputError if what this machine computes may differ from what the study's did
/// (sim/study/journal.hpp).
void check_arithmetic(FrozenStudy const& study);

}  // namespace gridcast::study
