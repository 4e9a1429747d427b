// The frozen folder of a study: all input of its shards, as it was when the study was begun.
//
//   study.json        the question, with the SHA-256 of each file and of itself
//   tree/...          the scenario with the files that it names, at the same relative paths
//   records/N-NAME    records of a campaign that took place (predict --against)
//   share/gridcast/   shipped files that the program reads: the catalogue of profiles
//   program/          this very program with its libraries and loader, and `run`, which starts it
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/shards/shard.hpp"

namespace gridcast::study {

enum class StudyKind {
  prediction,
  comparison,
  search,  // its replicas are independent searches (sim/optimize/optimum.hpp)
};
/// The verb that begins a study of this kind.
inline constexpr std::array<std::string_view, 3> study_verbs = {"forecast", "compare", "optimize"};
inline std::string_view verb(StudyKind kind) { return study_verbs[static_cast<std::size_t>(kind)]; }

/// The name of its replicas.
inline std::string_view units(StudyKind kind) {
  return kind == StudyKind::search ? "searches" : "replicas";
}

struct StudyQuestion {
  StudyKind kind = StudyKind::comparison;
  std::string scenario;                   // its file, as the user named it
  std::string system;                     // where it was begun: "slurm", "local"
  std::vector<std::string> submit_lines;  // for that system (submit())
  std::vector<std::string> overrides;     // "PATH=VALUE"
  std::string strategy;                   // of a prediction; the current one of a search
  std::string party, budget;              // of a search
  std::uint32_t replicas = 0;
  std::uint64_t seed = 1;
  engine::NetworkModel network = engine::NetworkModel::automatic;
  Seconds horizon;
  std::vector<std::string> records;  // as the user named them
  std::string columns;               // how they are read (import::RecordOptions)
  bool prefix = false;

  static void fields(auto& row, auto& question) {
    row.named("verb", question.kind, study_verbs);
    row("scenario", question.scenario);
    row("on", question.system);
    row("submit_options", question.submit_lines);
    row("set", question.overrides);
    row("strategy", question.strategy);
    row("as", question.party);
    row("budget", question.budget);
    row("replicas", question.replicas);
    row("seed", question.seed);
    row("network", question.network);
    row("horizon_s", question.horizon);
    row("against", question.records);
    row("columns", question.columns);
    row("prefix", question.prefix);
  }
};

struct FrozenStudy : ShardPlan {  // the plan that it was cut by
  std::filesystem::path folder;
  StudyQuestion question;
  std::string command;            // that began it
  std::int64_t begun = 0;         // Unix time, in s
  std::string version, revision;  // of gridcast
  std::string build;              // sim/study/journal.hpp
  std::string fingerprint;        // study_fingerprint()
  std::size_t strategies = 1;     // that it simulates
  Bytes size;                     // of the folder
  std::string scenario_file;      // in the folder
  std::vector<std::string> record_files;
  std::string columns_file;                  // in the folder; empty: no file, or a shipped one
  std::map<std::string, std::string> files;  // SHA-256 by path in the folder; without study.json
  std::vector<std::string> originals;        // absolute paths of the files that were copied
  /// "gridcast-0123456789ab": the name of the study's jobs in a batch system. Each study has a name
  /// of its own, even if two have the same question. A moved folder keeps its name.
  std::string job_name;

  /// study.json
  static void fields(auto& row, auto& study) {
    StudyQuestion::fields(row, study.question);
    row("command", study.command);
    row("begun", study.begun);
    row("version", study.version);
    row("revision", study.revision);
    row("build", study.build);
    row("fingerprint", study.fingerprint);
    row("strategies", study.strategies);
    row("shard_size", study.shard_size);
    row("replica_takes_s", study.replica_takes);
    row("memory", study.memory);
    row("size", study.size);
    row("scenario_file", study.scenario_file);
    row("record_files", study.record_files);
    row("columns_file", study.columns_file);
    row("originals", study.originals);
    row("job_name", study.job_name);
    row("files", study.files);
  }
};

/// Makes `folder`/frozen, the whole folder or none. `scenario`: as it was read. InputError for
/// files that the frozen copy would not find, and for names that study.json cannot contain.
void freeze(std::filesystem::path const& folder, StudyQuestion const& question,
            scenario::Scenario const& scenario, std::vector<std::filesystem::path> const& records,
            ShardPlan const& plan, std::string const& command);

/// Which files of a frozen folder are checked against their SHA-256. A shard does not check its own
/// program: that takes a twentieth of a second, and `compare resume` has checked it before.
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
