// Slurm: arrays of jobs, which read the frozen study and write their results where both are, in the
// study's folder; it has to be on a file system that the nodes share.
//
// An array has no more tasks than MaxArraySize (slurm.conf(5): its largest index is one less), so that
// many shards are several arrays. A task that a node's failure or a preemption ends is queued again by
// Slurm (--requeue), one that ends by itself without a result asks for it, three times at most.
#pragma once

#include "sim/study/shards/batch_system.hpp"

namespace gridcast::study {

void check_slurm();
std::vector<std::string> submit_to_slurm(StudyFolder const& folder,
                                         std::vector<Shard> const& shards,
                                         SubmitOptions const& options);
std::vector<QueuedShard> shards_in_slurm(StudyFolder const& folder);
void cancel_in_slurm(StudyFolder const& folder);

/// What `sacct` tells of the study's jobs, in the form that gridcast reads with --columns sacct; nothing
/// where Slurm keeps no accounts.
std::optional<std::string> accounts_of_slurm(StudyFolder const& folder);

}  // namespace gridcast::study
