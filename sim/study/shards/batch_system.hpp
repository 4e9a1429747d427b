// The batch systems that run a study's shards. Jobs carry the study's name, and gridcast need not
// remember its submissions: a shard that is not in the queue and has no result is missing. The
// batch system repeats failed jobs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/shards/study_folder.hpp"

namespace gridcast::study {

enum class BatchSystem { slurm, htcondor };
std::string_view name(BatchSystem system);

/// A shard in the queue.
struct QueuedShard {
  enum class State { waiting, running, held };
  std::string shard;
  State state = State::waiting;
  std::string why;  // why it is held or waits
};

/// InputError if the batch system's programs are not here, or it does not answer.
void check_is_there(BatchSystem system);

/// Submits the shards, in as many jobs as the limits require; returns the system's names of the
/// jobs. `options`: of sbatch, or lines of HTCondor's submit file. InputError if it refuses; shards
/// that it accepted before stay with it.
std::vector<std::string> submit(BatchSystem system, StudyFolder const& folder,
                                std::vector<Shard> const& shards,
                                std::vector<std::string> const& options);

/// The study's shards that are in the queue. InputError if it does not answer.
std::vector<QueuedShard> queued_shards(BatchSystem system, StudyFolder const& folder);

/// Takes the study's jobs out of the queue.
void cancel(BatchSystem system, StudyFolder const& folder);

/// The systems to which shards of the study were submitted, accepted or not.
std::vector<BatchSystem> systems_used(StudyFolder const& folder);
/// True if this system has accepted any.
bool has_taken(BatchSystem system, StudyFolder const& folder);

/// InputError if a job description cannot contain the path of the study's folder.
void check_path(BatchSystem system, std::filesystem::path const& folder);

/// The log of all of the study's jobs.
std::filesystem::path log_of_htcondor(StudyFolder const& folder);

/// Slurm's accounts of the study's jobs, in the form that gridcast reads with --columns sacct;
/// nothing where Slurm keeps no accounts.
std::optional<std::string> accounts_of_slurm(StudyFolder const& folder);

}  // namespace gridcast::study
