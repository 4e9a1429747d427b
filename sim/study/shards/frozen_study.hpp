// The frozen folder of a study: all input of its shards, as it was when the study was begun.
//
//   study.json        the question, with the SHA-256 of each file and of itself
//   tree/...          the scenario with the files that it names, at the same relative paths
//   records/N-NAME    records of a campaign that took place (predict --against)
//   share/gridcast/   shipped files that the program reads: the catalogue of profiles
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

enum class StudyKind { prediction, comparison };
/// The verb that begins a study of this kind: "predict".
std::string_view verb(StudyKind kind);

struct StudyQuestion {
  StudyKind kind = StudyKind::comparison;
  std::string scenario;                   // its file, as the user named it
  std::string system;                     // where it was begun: "slurm", "local"
  std::vector<std::string> submit_lines;  // for that system (SubmitOptions)
  std::vector<std::string> overrides;     // "PATH=VALUE"
  std::string strategy;                   // of a prediction
  std::uint32_t replicas = 0;
  std::uint64_t seed = 1;
  engine::NetworkModel network = engine::NetworkModel::automatic;
  Seconds horizon, time_limit;
  std::vector<std::string> records;  // as the user named them
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
  std::string command;            // that began it
  std::int64_t begun = 0;         // Unix time, in s
  std::string version, revision;  // of gridcast
  std::string build;              // sim/study/journal.hpp
  std::string fingerprint;        // study_fingerprint()
  std::size_t strategies = 1;     // that it simulates
  std::uint32_t shard_size = 1;   // replicas per shard
  Seconds replica_takes;          // time of one, under all strategies, on one processor
  Bytes memory;                   // of the largest process
  Bytes size;                     // of the folder
  std::string scenario_file;      // in the folder
  std::vector<std::string> record_files;
  std::string columns_file;            // in the folder; empty: no file, or a shipped one
  std::vector<FrozenFile> files;       // all except study.json
  std::vector<std::string> originals;  // absolute paths of the files that were copied
  /// "gridcast-0123456789ab": the name of the study's jobs in a batch system. Each study has a name
  /// of its own, even if two ask the same question. A moved folder keeps its name.
  std::string job_name;
};

/// Makes `folder`/frozen, the whole folder or none. `scenario`: as it was read. InputError for files
/// that the frozen copy would not find, and for names that study.json cannot contain.
void freeze(std::filesystem::path const& folder, StudyQuestion const& question,
            scenario::Scenario const& scenario, std::vector<std::filesystem::path> const& records,
            ShardPlan const& plan, std::string const& command);

/// Which files of a frozen folder are checked against their SHA-256. A shard does not check its own
/// program: that takes a twentieth of a second, and `study resume` has checked it before.
enum class FrozenFiles { all, but_program };

/// Reads a frozen folder and checks its files. InputError if one was changed.
FrozenStudy read_frozen(std::filesystem::path const& folder, FrozenFiles files = FrozenFiles::all);

struct FrozenScenario {
  scenario::Scenario scenario;
  std::vector<scenario::Strategy> strategies;  // that the study simulates
  StudyOptions options;
};
/// InputError if the scenario is not the one that the study was begun with, or if the program is
/// another build.
FrozenScenario open_frozen(FrozenStudy const& study);

}  // namespace gridcast::study
