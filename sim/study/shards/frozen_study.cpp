#include "sim/study/shards/frozen_study.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <set>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "gridcast_version.hpp"
#include "sim/base/files.hpp"
#include "sim/base/json_fields.hpp"
#include "sim/base/json_text.hpp"
#include "sim/base/program.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/study/comparison.hpp"
#include "sim/study/journal.hpp"

namespace gridcast::study {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view schema = "gridcast.study/6";
constexpr char const* description = "study.json";

// The script finds the loader and the libraries beside itself. HTCondor copies the script away from
// them, and calls it in the folder that contains `frozen`.
constexpr std::string_view run_script = R"(#!/bin/sh
# gridcast as it was when the study was begun: run ARGUMENT...
here=$(dirname -- "$0")
[ -e "$here/gridcast" ] || here=frozen/program
if [ -e "$here/loader" ]; then
  exec "$here/loader" --library-path "$here/lib" "$here/gridcast" "$@"
fi
exec "$here/gridcast" "$@"
)";

constexpr char const* program_folder = "program/";
// The largest number of shards: a number changed by hand must not take all memory.
constexpr std::uint32_t most_shards = 10'000'000;

std::string bytes_of(fs::path const& file) {
  note_input_file(file);
  std::error_code error;
  auto const size = fs::file_size(file, error);
  if (!error) {
    std::ifstream in(file, std::ios::binary);
    std::string bytes(size, '\0');
    if (in.read(bytes.data(), static_cast<std::streamsize>(size))) return bytes;
  }
  refuse({file.string()}, "cannot be read");
}

fs::path absolute_of(fs::path const& file) { return fs::absolute(file).lexically_normal(); }

/// Writes the files of one frozen folder, and keeps their digests.
class Freezer {
 public:
  explicit Freezer(fs::path folder) : folder_(std::move(folder)) {}

  void copy(fs::path const& from, fs::path const& to) {
    originals_.insert(absolute_of(from).string());
    put(to, bytes_of(from));
  }
  void put(fs::path const& to, std::string const& bytes) {
    write(to, bytes);
    files_[to.generic_string()] = sha256(bytes);
  }
  void copy_program() {
    ProgramFiles const program = program_files();
    copy_executable(program.program, "program/gridcast");
    if (!program.loader.empty()) copy_executable(program.loader, "program/loader");
    for (fs::path const& library : program.libraries) {
      copy_executable(library, fs::path("program/lib") / library.filename());
    }
    put("program/run", std::string(run_script));
    make_executable("program/run");
  }
  void write(fs::path const& to, std::string_view bytes) {
    prepare_folder((folder_ / to).parent_path());
    write_file(folder_ / to, bytes);
    size_ += Bytes(static_cast<double>(bytes.size()));
  }

  std::map<std::string, std::string> const& files() const { return files_; }
  Bytes size() const { return size_; }
  fs::path const& folder() const { return folder_; }
  std::set<std::string> const& originals() const { return originals_; }

 private:
  void copy_executable(fs::path const& from, fs::path const& to) {
    put(to, bytes_of(from));
    make_executable(to);
  }

  void make_executable(fs::path const& file) {
    using enum fs::perms;
    fs::permissions(folder_ / file, owner_exec | group_exec | others_exec, fs::perm_options::add);
  }

  fs::path folder_;
  std::map<std::string, std::string> files_;
  std::set<std::string> originals_;
  Bytes size_;
};

/// The deepest folder that all files are in.
fs::path common_folder(std::vector<fs::path> const& files) {
  fs::path common = files.front().parent_path();
  for (fs::path const& file : files) {
    auto const [end, ignored] =
        std::mismatch(common.begin(), common.end(), file.begin(), file.end());
    fs::path shared;
    for (auto part = common.begin(); part != end; ++part) shared /= *part;
    common = shared;
  }
  return common;
}

/// Copies the scenario's files; returns the place of its own file.
std::string copy_scenario(Freezer& freezer, scenario::Scenario const& scenario) {
  std::vector<fs::path> files;
  for (fs::path const& file : files_of(scenario)) files.push_back(absolute_of(file));
  fs::path const common = common_folder(files);
  auto const place = [&](fs::path const& file) { return "tree" / file.lexically_relative(common); };
  for (fs::path const& file : std::set<fs::path>(files.begin(), files.end())) {
    freezer.copy(file, place(file));
  }
  return place(absolute_of(scenario.file)).generic_string();
}

/// Reads the copy; InputError if it names files outside the copy.
scenario::Scenario read_copy(fs::path const& folder, std::string const& file,
                             scenario::Scenario const& original) {
  auto copy = scenario::read_scenario(folder / file, original.overrides);
  std::vector<Problem> problems;
  for (fs::path const& each : files_of(copy)) {
    if (absolute_of(each).lexically_relative(absolute_of(folder)).string().starts_with("..")) {
      add_problem(problems, {original.file.string()},
                  "names " + each.string() + " by its path from the root",
                  "a copy of the scenario would not find the copy of that file",
                  "Name it from the scenario's own folder.");
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return copy;
}

/// Copies the shipped files that scenarios and records may name.
void copy_shipped(Freezer& freezer) {
  for (fs::path const name : {"scenarios/profiles", "calibration/maps"}) {
    auto const found = scenario::shipped_file(name);
    if (!found) continue;
    for (auto const& entry : fs::directory_iterator(*found)) {
      if (!entry.is_regular_file()) continue;
      freezer.copy(entry.path(), "share/gridcast" / name / entry.path().filename());
    }
  }
}

std::string what_is_asked(StudyQuestion const& question) {
  switch (question.kind) {
    case StudyKind::comparison:
      return std::string(what_is_compared);
    case StudyKind::search:
      return fmt::format("search {} as {} with {}", question.strategy, question.party,
                         question.budget);
    case StudyKind::prediction:
      break;
  }
  return what_is_predicted(question.strategy);
}

StudyOptions options_of(StudyQuestion const& question) {
  StudyOptions options;
  options.replicas = question.replicas;
  options.seed = question.seed;
  options.simulation.network = question.network;
  options.simulation.horizon = question.horizon;
  options.rows = !question.records.empty();
  return options;
}

std::string fingerprint_of(FrozenStudy const& study, scenario::Scenario const& scenario) {
  return study_fingerprint(scenario, options_of(study.question), what_is_asked(study.question));
}

InputError changed(fs::path const& file, std::string why) {
  return InputError(Problem{{file.string()},
                            "was changed since the study was begun",
                            std::move(why),
                            "Put it back as it was, or begin a study anew in another folder."});
}

/// True if there is a number of shards that a study can have.
bool can_be_cut(FrozenStudy const& study) {
  std::uint32_t const replicas = study.question.replicas, size = study.shard_size;
  return size > 0 && replicas > 0 && (replicas - 1) / size < most_shards && study.strategies > 0;
}

/// InputError if a file of the folder is missing or was changed.
void check_frozen(fs::path const& file, std::string const& digest) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) {
    refuse({file.string()}, "is missing, or no ordinary file",
           "the study is damaged: its shards are simulated from this file too",
           "Put it back as it was, or begin a study anew in another folder.");
  }
  if (sha256(bytes_of(file)) != digest) throw changed(file, "study.json has another SHA-256");
}

std::string text_of(FrozenStudy const& study) {
  try {
    Json json = {{"schema", schema}};
    JsonWriter row(json);
    FrozenStudy::fields(row, study);
    json["sha256"] = sha256(json.dump());
    return json.dump(2) + "\n";
  } catch (Json::type_error const&) {
    throw InputError(
        Problem{{},
                "a study cannot be begun of these files",
                "the path of one of them is not UTF-8, and study.json could not name it",
                "Give the file or its folder another name."});
  }
}

/// No other study has the same name, whenever and wherever it is begun.
std::string new_job_name(fs::path const& folder) {
  constexpr std::size_t enough = 12;
  auto const now = std::chrono::system_clock::now().time_since_epoch().count();
  std::string const unique =
      fmt::format("{} {} {} {}", host_name(), ::getpid(), now, fs::absolute(folder).string());
  return "gridcast-" + sha256(unique).substr(0, enough);
}

/// The study without its fingerprint. Its own files are in the folder by then.
FrozenStudy described(Freezer& freezer, FrozenStudy study, ShardPlan const& plan,
                      std::string const& command) {
  std::set<std::string> originals = freezer.originals();
  for (auto const& file : study.question.records) originals.insert(absolute_of(file).string());
  study.originals.assign(originals.begin(), originals.end());
  study.job_name = new_job_name(freezer.folder());
  copy_shipped(freezer);
  freezer.copy_program();
  study.files = freezer.files();
  study.size = freezer.size();
  study.command = command;
  study.begun = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  study.version = version_number;
  study.revision = version_revision;
  study.build = build_identity();
  static_cast<ShardPlan&>(study) = plan;
  return study;
}

/// Returns the places of the copies.
std::vector<std::string> copy_records(Freezer& freezer, std::vector<fs::path> const& records) {
  std::vector<std::string> places;
  for (std::size_t i = 0; i < records.size(); ++i) {
    places.push_back(fmt::format("records/{}-{}", i, records[i].filename().string()));
    freezer.copy(records[i], places.back());
  }
  return places;
}

void freeze_into(fs::path const& unfinished, StudyQuestion const& question,
                 scenario::Scenario const& scenario, std::vector<fs::path> const& records,
                 ShardPlan const& plan, std::string const& command) {
  Freezer freezer(unfinished);
  FrozenStudy study;
  study.question = question;
  study.scenario_file = copy_scenario(freezer, scenario);
  study.record_files = copy_records(freezer, records);
  std::error_code ignored;
  if (!question.columns.empty() && fs::is_regular_file(question.columns, ignored)) {
    study.columns_file = "records/columns.yaml";
    freezer.copy(question.columns, study.columns_file);
  }
  study.strategies = question.kind == StudyKind::comparison ? scenario.strategies.size() : 1;
  study = described(freezer, std::move(study), plan, command);
  study.fingerprint = fingerprint_of(study, read_copy(unfinished, study.scenario_file, scenario));
  freezer.write(description, text_of(study));
}

}  // namespace

void freeze(fs::path const& folder, StudyQuestion const& question,
            scenario::Scenario const& scenario, std::vector<fs::path> const& records,
            ShardPlan const& plan, std::string const& command) {
  fs::path const unfinished = folder / "frozen.new";
  fs::remove_all(unfinished);
  try {
    freeze_into(unfinished, question, scenario, records, plan, command);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(unfinished, ignored);
    throw;
  }
  fs::rename(unfinished, folder / "frozen");
}

FrozenStudy read_frozen(fs::path const& folder, FrozenFiles files) {
  fs::path const file = folder / description;
  std::string const text = read_text_file(file);
  FrozenStudy study;
  std::vector<Problem> problems;
  try {
    auto json =
        parse_json<Json>(text, {file.string(), "a description of a study is",
                                "Put it back as it was, or begin a study anew in another folder."});
    if (json.at("schema") != schema) {
      refuse({file.string()}, "is of another form: " + json.at("schema").dump(),
             fmt::format("this gridcast reads {}", schema),
             "Use the study's own program, program/run beside it.");
    }
    std::string const sha = json.at("sha256");
    json.erase("sha256");
    if (sha256(json.dump()) != sha) throw changed(file, "its SHA-256 is another");
    JsonReader row(json, description, problems);
    FrozenStudy::fields(row, study);
  } catch (Json::exception const&) {
    throw changed(file, "it is no description of a study");
  }
  if (!problems.empty()) throw changed(file, "it is no description of a study");
  study.folder = folder;
  if (!can_be_cut(study)) throw changed(file, "nothing could be simulated by its numbers");
  for (auto const& [path, digest] : study.files) {
    bool const left_out = files == FrozenFiles::but_program && path.starts_with(program_folder);
    if (!left_out) check_frozen(folder / path, digest);
  }
  return study;
}

FrozenScenario open_frozen(FrozenStudy const& study) {
  if (study.build != build_identity() || study.version != version_number) {
    std::string const own = (study.folder / "program" / "run").string();
    throw InputError(
        Problem{{study.folder.string()},
                "was begun with another build of gridcast",
                fmt::format("with {} ({}); results of two builds are not mixed", study.version,
                            study.revision),
                fmt::format("Use the study's own program: {} instead of gridcast.", own)});
  }
  auto const& question = study.question;
  FrozenScenario frozen{
      scenario::read_scenario(study.folder / study.scenario_file, question.overrides), {}, {}};
  if (fingerprint_of(study, frozen.scenario) != study.fingerprint) {
    throw changed(study.folder / study.scenario_file,
                  "it reads as another scenario than the one that the study was begun with");
  }
  frozen.strategies = question.kind == StudyKind::comparison
                          ? frozen.scenario.strategies
                          : std::vector{frozen.scenario.strategy(question.strategy)};
  frozen.options = options_of(question);
  return frozen;
}

}  // namespace gridcast::study
