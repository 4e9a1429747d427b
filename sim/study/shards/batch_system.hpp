// The batch systems that a study's shards are handed to. Each is told by the study's name which
// jobs are its own, so that nothing has to be remembered of what was handed over: what is not in
// the queue and has no result is missing. Retries are theirs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/shards/study_folder.hpp"

namespace gridcast::study {

enum class BatchSystem { slurm, htcondor };
std::string_view name(BatchSystem system);

struct SubmitOptions {
  std::vector<std::string>
      lines;  // for sbatch, an option each; for HTCondor, a line of the submit file
};

/// A shard in the queue.
struct QueuedShard {
  enum class State { waiting, running, held };
  std::string shard;
  State state = State::waiting;
  std::string why;  // it is held, or waits
};

/// InputError if the batch system's programs are not here, or it does not answer.
void check_is_there(BatchSystem system);

/// Hands the shards over, in as many jobs as its limits ask for; what it calls them. InputError if
/// it refuses: what it had taken until then stays with it.
std::vector<std::string> submit(BatchSystem system, StudyFolder const& folder,
                                std::vector<Shard> const& shards, SubmitOptions const& options);

/// The study's shards that are in the queue. InputError if it does not answer.
std::vector<QueuedShard> queued_shards(BatchSystem system, StudyFolder const& folder);

/// Takes the study's jobs out of the queue.
void cancel(BatchSystem system, StudyFolder const& folder);

/// The systems that shards of the study were offered to.
std::vector<BatchSystem> systems_used(StudyFolder const& folder);
/// Whether this one has taken any.
bool has_taken(BatchSystem system, StudyFolder const& folder);

/// InputError if the system could not be told where the study's folder is.
void check_path(BatchSystem system, std::filesystem::path const& folder);

/// The log of all of the study's jobs.
std::filesystem::path log_of_htcondor(StudyFolder const& folder);

/// What `sacct` tells of the study's jobs, in the form that gridcast reads with --columns sacct;
/// nothing where Slurm keeps no accounts.
std::optional<std::string> accounts_of_slurm(StudyFolder const& folder);

}  // namespace gridcast::study
