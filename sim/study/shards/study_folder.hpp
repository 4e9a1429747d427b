// The folder of a study whose replicas are played by shards, and what is there of it.
//
//   frozen/        what the shards are played from (frozen_study.hpp)
//   results/       a file for each shard that was played (shard.hpp)
//   incoming/      where HTCondor puts results; from there they are moved to results/ once they are
//                  whole
//   submissions/   NNNN.list: the shards that were handed to a batch system, one a line, with what
//                  was handed to it beside, and NNNN.job what it calls it, if it has taken it
//   logs/          what each shard said
//   jobs.log       HTCondor's log of the study's jobs
//   second.json    the campaigns with fewer jobs that the comparison turned out to want
//   rounds.json    the rounds of simulations that the calibration turned out to want after the
//                  first
//   attempts.csv   the shards as a table of attempts (gridcast.attempts/1)
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/study/comparison.hpp"
#include "sim/study/shards/frozen_study.hpp"
#include "sim/study/shards/shard.hpp"
#include "sim/study/value_of_information.hpp"

namespace gridcast::study {

/// Keeps others from changing the folder for as long as it lives. InputError if another process
/// does, or nothing can be written there.
class FolderLock {
 public:
  explicit FolderLock(std::filesystem::path const& folder);
  ~FolderLock();
  FolderLock(FolderLock const&) = delete;
  FolderLock& operator=(FolderLock const&) = delete;

 private:
  int descriptor_ = -1;
};

/// Whether another process plays or hands over shards of the study right now.
bool is_in_use(std::filesystem::path const& folder);

/// A file's name as one types it into a shell.
std::string typed(std::filesystem::path const& file);

/// A round of simulations after a calibration's first.
struct WantedRound {
  std::uint32_t tasks = 0, shard_size = 1;
  bool operator==(WantedRound const&) const = default;
};

/// What rounds brought back, as far as it is there: by round and task.
using RoundRecords = std::map<std::uint32_t, std::map<std::uint32_t, Record>>;

/// Of a folder's results, those of the study's rounds; where a shard is played that is all there
/// is.
RoundRecords records_of_rounds(std::filesystem::path const& results,
                               std::string const& fingerprint);

/// Which shards have a result.
struct FoundShards {
  std::vector<Shard> all;            // that the study has, as far as it is known
  std::vector<ShardResult> results;  // without records, unless they were wanted
  std::vector<Shard> missing;
  std::vector<Shard> damaged;        // of those
  std::vector<Shard> with_failures;  // of those that are there
};

/// Whether a replica of the study could have brought this back; empty where fits alone can tell.
using PossibleRecord = std::function<bool(Record const&)>;
PossibleRecord possible_record(FrozenStudy const& study, FrozenScenario const& frozen);

class StudyFolder {
 public:
  /// InputError if the folder holds no study, or its frozen part was changed.
  explicit StudyFolder(std::filesystem::path folder);

  std::filesystem::path const& path() const { return folder_; }
  std::string typed() const { return study::typed(folder_); }
  FrozenStudy const& study() const { return study_; }

  /// Looks through the results; takes in what has come in whole. InputError if results of another
  /// study are among them. One that is read whole is damaged too if it has not each of the shard's
  /// replicas once, or a record that is not possible.
  FoundShards find(Reading reading, PossibleRecord const& possible = {}) const;

  /// Campaigns with fewer jobs, as far as they are known to be wanted; none for a prediction.
  std::optional<SmallerRuns> const& second() const { return second_; }
  void want(SmallerRuns const& runs) { second_ = runs; }
  /// In the folder.
  void keep_second() const;

  /// Rounds that are known to be wanted, the first included.
  std::size_t rounds() const { return rounds_.size() + 1; }
  /// All after the first; keeps them in the folder.
  void want(std::vector<WantedRound> const& rounds);

  /// Keeps the list of a new submission, and gives its number.
  int new_submission(std::vector<Shard> const& shards) const;
  /// How many there are.
  int submissions() const;
  std::filesystem::path submission_file(int number, std::string const& ending) const;

  std::string const& job_name() const { return study_.job_name; }

  /// What of the study is there; not what answers were written beside it.
  std::vector<std::filesystem::path> files() const;

 private:
  void take_in(std::vector<Shard> const& all) const;

  std::filesystem::path folder_;
  FrozenStudy study_;
  std::optional<SmallerRuns> second_;
  std::vector<WantedRound> rounds_;
};

/// Makes the folders of a new study. InputError if the folder is there and holds anything.
void prepare_study_folder(std::filesystem::path const& folder);

/// The comparison of what is there, marked as interrupted unless all is; with smaller runs where
/// all of them are there.
Comparison gathered_comparison(StudyFolder& folder, FrozenScenario const& frozen,
                               FoundShards found);
/// Once all replicas of a comparison are there: whether campaigns with fewer jobs are wanted too.
void find_what_else_is_wanted(StudyFolder& folder, FrozenScenario const& frozen);
/// What the replicas that are there brought back, marked as interrupted unless all are.
PoolResult gathered_records(StudyFolder const& folder, FoundShards found);
Prediction gathered_prediction(StudyFolder const& folder, FrozenScenario const& frozen,
                               FoundShards found);

}  // namespace gridcast::study
