#include "sim/study/shards/study_folder.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <set>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/base/json_fields.hpp"
#include "sim/base/json_text.hpp"
#include "sim/base/text.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/record.hpp"

namespace gridcast::study {
namespace {

namespace fs = std::filesystem;

constexpr char const* lock_name = "lock";

constexpr char const* folders[] = {"results", "incoming", "submissions", "logs"};

std::vector<fs::path> shard_files(fs::path const& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (auto const& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".shard") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

Problem of_another_study(fs::path const& file) {
  return {{file.string()},
          "is the result of another study",
          "scenario, options or the build of gridcast differ from those of this folder's study",
          "Move it to the folder that it belongs to, or elsewhere."};
}

/// False if another process has the lock. A process that only tests it releases it in a moment.
bool takes_lock(int descriptor, int how) {
  constexpr int tries = 5;
  constexpr useconds_t between = 20'000;  // microseconds
  for (int i = 0; i < tries; ++i) {
    // On a file system without locks nobody waits for one.
    if (::flock(descriptor, how | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
    ::usleep(between);
  }
  return false;
}

Problem no_file(fs::path const& file) {
  return {{file.string()}, "is no ordinary file", "a study's files are", "Remove it."};
}

/// True if it contains each replica of the shard once, with a possible record or as failed.
bool is_of_shard(ShardResult const& result, std::size_t strategies,
                 std::vector<std::string> const& names) {
  auto const& shard = result.shard;
  std::vector<std::size_t> numbers;
  for (auto const& [number, record] : result.records) {
    if (!is_possible(record, names)) return false;
    numbers.push_back(number);
  }
  for (auto const& failed : result.failed) numbers.push_back(failed.replica);
  std::ranges::sort(numbers);
  if (numbers.size() != strategies * (shard.to - shard.from)) return false;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != strategies * shard.from + i) return false;
  }
  return true;
}

/// All records and failures, in order; interrupted unless each replica is there.
PoolResult merged(FrozenStudy const& study, FoundShards& found) {
  PoolResult pool;
  for (ShardResult& each : found.results) {
    std::move(each.records.begin(), each.records.end(), std::back_inserter(pool.records));
    std::move(each.failed.begin(), each.failed.end(), std::back_inserter(pool.failed));
  }
  std::size_t const wanted = study.question.replicas * study.strategies;
  pool.interrupted = pool.records.size() + pool.failed.size() != wanted;
  std::ranges::sort(pool.records, {}, [](auto const& numbered) { return numbered.first; });
  std::ranges::sort(pool.failed, {}, &FailedReplica::replica);
  return pool;
}

/// The scenario's name as the user gave it, not that of the copy.
std::string named_as_asked(StudyFolder const& folder, FrozenScenario const& frozen) {
  scenario::Scenario named = frozen.scenario;
  named.file = folder.study().question.scenario;
  return scenario::arguments_of(named);
}

}  // namespace

FolderLock::FolderLock(fs::path const& folder) {
  fs::path const file = folder / lock_name;
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0 && (errno == EACCES || errno == EPERM || errno == EROFS)) {
    refuse({folder.string()}, "cannot be written in", std::strerror(errno),
           "Let its owner resume the study, or copy the folder.");
  }
  if (descriptor_ < 0) {
    throw ResourceError(Problem{{file.string()}, std::strerror(errno), "", "Make room."});
  }
  if (takes_lock(descriptor_, LOCK_EX)) return;
  ::close(descriptor_);
  refuse({folder.string()}, "is in use by another process",
         "one at a time can submit or simulate shards of a study", "Wait for it to end.");
}

FolderLock::~FolderLock() { ::close(descriptor_); }

bool is_in_use(fs::path const& folder) {
  int const descriptor = ::open((folder / lock_name).c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  bool const is_free = takes_lock(descriptor, LOCK_SH);
  ::close(descriptor);
  return !is_free;
}

StudyFolder::StudyFolder(fs::path folder) : folder_(std::move(folder)) {
  std::error_code ignored;
  if (!fs::exists(folder_ / "frozen" / "study.json", ignored)) {
    throw InputError(
        Problem{{folder_.string()},
                "holds no study",
                "there is no frozen/study.json in it",
                "Name the folder that --on of forecast, compare or optimize has made."});
  }
  expect_ordinary_file(folder_ / "frozen" / "study.json");
  study_ = read_frozen(folder_ / "frozen");
  for (char const* each : folders) fs::create_directories(folder_ / each, ignored);
}

std::vector<fs::path> StudyFolder::files() const {
  std::vector<fs::path> files;
  for (char const* each : {lock_name, "jobs.log", "sacct.txt", "attempts.csv"}) {
    files.push_back(folder_ / each);
  }
  auto const add_all = [&files](fs::path const& folder) {
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      files.push_back(entry->path());
    }
  };
  add_all(study_.folder);
  for (char const* each : folders) add_all(folder_ / each);
  return files;
}

std::string typed(fs::path const& file) {
  // A name with a leading dash is no option.
  std::string const name = file.string().starts_with('-') ? "./" + file.string() : file.string();
  auto const is_letter = [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0;
  };
  bool const is_plain = std::ranges::all_of(name, [&](char letter) {
    return is_letter(letter) || std::string_view("._/+-").find(letter) != std::string_view::npos;
  });
  if (is_plain) return name;
  if (printable(name) == name) return quoted_for_shell(name);
  // Control characters are written as bash, zsh and the 2024 edition of POSIX read them.
  std::string text = "$'";
  for (char const c : name) {
    auto const byte = static_cast<unsigned char>(c);
    bool const is_shown = is_letter(c) || (byte >= ' ' && byte < 0x7f && c != '\'' && c != '\\');
    text += is_shown ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return text + "'";
}

FoundShards StudyFolder::find(std::vector<std::string> const* names) const {
  FoundShards found;
  found.all = cut(study_.question.replicas, study_.shard_size);
  take_in(found.all);
  std::set<std::string> expected;
  std::vector<Problem> problems;
  for (Shard const& shard : found.all) {
    std::string const name = result_file(shard, study_.fingerprint);
    expected.insert(name);
    fs::path const file = folder_ / "results" / name;
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) {
      found.missing.push_back(shard);
      continue;
    }
    auto read =
        read_result(file, shard, study_.fingerprint, names ? Reading::whole : Reading::checked);
    bool const is_read = names && read.state == ResultState::good;
    if (is_read && !is_of_shard(read.result, study_.strategies, *names)) {
      read.state = ResultState::damaged;
    }
    if (read.state == ResultState::of_another_study) problems.push_back(of_another_study(file));
    if (read.state == ResultState::damaged) {
      found.damaged.push_back(shard);
      found.missing.push_back(shard);
    }
    if (read.state != ResultState::good) continue;
    if (!read.result.failed.empty()) found.with_failures.push_back(shard);
    found.results.push_back(std::move(read.result));
  }
  for (fs::path const& file : shard_files(folder_ / "results")) {
    std::string const name = file.filename();
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) problems.push_back(no_file(file));
    if (!expected.contains(name)) problems.push_back(of_another_study(file));
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return found;
}

FoundShards StudyFolder::checked() const { return find(nullptr); }

FoundShards StudyFolder::read(FrozenScenario const& frozen) const {
  auto const names = record_names(site_names(frozen.scenario), frozen.options.rows);
  return find(&names);
}

// A result that is not whole stays in incoming/: its transfer may not have ended.
void StudyFolder::take_in(std::vector<Shard> const& all) const {
  for (Shard const& shard : all) {
    std::string const name = result_file(shard, study_.fingerprint);
    fs::path const file = folder_ / "incoming" / name;
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) continue;
    auto const read = read_result(file, shard, study_.fingerprint, Reading::whole);
    if (read.state != ResultState::good) continue;
    int const descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) {
      ::fsync(descriptor);
      ::close(descriptor);
    }
    fs::rename(file, folder_ / "results" / name, ignored);
  }
}

fs::path StudyFolder::submission_file(int number, std::string const& ending) const {
  return folder_ / "submissions" / fmt::format("{:04}.{}", number, ending);
}

int StudyFolder::submissions() const {
  int n = 0;
  std::error_code ignored;
  while (fs::exists(submission_file(n + 1, "list"), ignored)) ++n;
  return n;
}

int StudyFolder::new_submission(std::vector<Shard> const& shards) const {
  int const number = submissions() + 1;
  std::string text;
  for (Shard const& shard : shards) text += name(shard) + "\n";
  write_file(submission_file(number, "list"), text);
  return number;
}

void prepare_study_folder(fs::path const& folder) {
  std::error_code ignored;
  bool const is_study = fs::exists(folder / "frozen" / "study.json", ignored);
  bool is_other = fs::exists(folder, ignored) && !fs::is_directory(folder, ignored);
  for (auto const& entry : fs::directory_iterator(folder, ignored)) {
    // A study that was killed at its begin leaves these files behind.
    is_other |= entry.path().filename() != lock_name && entry.path().filename() != "frozen.new";
  }
  if (is_study || is_other) {
    throw InputError(is_study ? Problem{{folder.string()},
                                        "already holds a study",
                                        "a study is begun in a folder of its own",
                                        "To continue it: gridcast compare resume " + typed(folder) +
                                            ". For another one name another folder: --study DIR."}
                              : Problem{{folder.string()},
                                        "is there and is not empty",
                                        "a study is begun in a folder of its own",
                                        "Name another folder: --study DIR."});
  }
  prepare_folder(folder);
}

Comparison gathered_comparison(StudyFolder const& folder, FrozenScenario const& frozen,
                               FoundShards found) {
  Comparison comparison =
      comparison_of(frozen.scenario, frozen.options, merged(folder.study(), found));
  comparison.scenario = named_as_asked(folder, frozen);
  return comparison;
}

Prediction gathered_prediction(StudyFolder const& folder, FrozenScenario const& frozen,
                               FoundShards found) {
  Prediction prediction = prediction_of(frozen.scenario, frozen.strategies.front(), frozen.options,
                                        merged(folder.study(), found));
  prediction.scenario = named_as_asked(folder, frozen);
  return prediction;
}

}  // namespace gridcast::study
