// The folder of a study whose replicas are simulated in shards.
//
//   frozen/        the input of the shards (frozen_study.hpp)
//   results/       a file for each shard that was simulated (shard.hpp)
//   incoming/      HTCondor puts results here; they move to results/ once they are whole
//   submissions/   NNNN.list: the shards that a batch system received, one per line, with its
//                  script beside; NNNN.job: the system's name for them, if it has accepted them
//   logs/          output of each shard
//   jobs.log       HTCondor's log of the study's jobs
//   attempts.csv   the shards as a table of attempts (gridcast.attempts/1)
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/study/comparison.hpp"
#include "sim/study/shards/frozen_study.hpp"
#include "sim/study/shards/shard.hpp"

namespace gridcast::study {

/// Prevents changes of the folder by others during its lifetime. InputError if another process
/// changes it, or if nothing can be written there.
class FolderLock {
 public:
  explicit FolderLock(std::filesystem::path const& folder);
  ~FolderLock();
  FolderLock(FolderLock const&) = delete;
  FolderLock& operator=(FolderLock const&) = delete;

 private:
  int descriptor_ = -1;
};

/// True if another process simulates or submits shards of the study now.
bool is_in_use(std::filesystem::path const& folder);

/// A file's name as a user types it into a shell.
std::string typed(std::filesystem::path const& file);

/// Which shards have a result.
struct FoundShards {
  std::vector<Shard> all;            // of the study
  std::vector<ShardResult> results;  // without records if they were only checked
  std::vector<Shard> missing;        // including the damaged ones
  std::vector<Shard> damaged;
  std::vector<Shard> with_failures;  // with a result
};

class StudyFolder {
 public:
  /// InputError if the folder holds no study, or its frozen part was changed.
  explicit StudyFolder(std::filesystem::path folder);

  std::filesystem::path const& path() const { return folder_; }
  std::string typed() const { return study::typed(folder_); }
  FrozenStudy const& study() const { return study_; }

  /// Checks all results, and moves whole ones out of incoming/. InputError if a result belongs to
  /// another study.
  FoundShards checked() const;
  /// The same with the records. A result counts as damaged if a replica of its shard is missing or
  /// occurs twice, or if a record is impossible.
  FoundShards read(FrozenScenario const& frozen) const;
  /// The same with records that have these columns.
  FoundShards read(std::vector<std::string> const& columns) const { return find(&columns); }

  /// Stores the list of a new submission; returns its number.
  int new_submission(std::vector<Shard> const& shards) const;
  /// The number of submissions so far.
  int submissions() const;
  std::filesystem::path submission_file(int number, std::string const& ending) const;

  std::string const& job_name() const { return study_.job_name; }

  /// The study's files, without answers that were written beside them.
  std::vector<std::filesystem::path> files() const;

 private:
  /// `names`: columns of the records to read; null: the results are only checked.
  FoundShards find(std::vector<std::string> const* names) const;
  void take_in(std::vector<Shard> const& all) const;

  std::filesystem::path folder_;
  FrozenStudy study_;
};

/// Makes the folders of a new study. InputError if the folder is there and holds anything.
void prepare_study_folder(std::filesystem::path const& folder);

/// The comparison of the results so far, marked as interrupted unless all are there.
Comparison gathered_comparison(StudyFolder const& folder, FrozenScenario const& frozen,
                               FoundShards found);
/// The same of a prediction.
Prediction gathered_prediction(StudyFolder const& folder, FrozenScenario const& frozen,
                               FoundShards found);

}  // namespace gridcast::study
