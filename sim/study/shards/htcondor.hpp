// HTCondor: jobs that need no shared file system. Its own file transfer brings the frozen study, the
// program with its libraries in it, and takes the result back into the folder incoming/. Jobs are run
// again after an eviction and, three times, after an end without a result (max_retries); a transfer
// that failed is tried again after five minutes.
#pragma once

#include "sim/study/shards/batch_system.hpp"

namespace gridcast::study {

void check_htcondor();
std::vector<std::string> submit_to_htcondor(StudyFolder const& folder,
                                            std::vector<Shard> const& shards,
                                            SubmitOptions const& options);
std::vector<QueuedShard> shards_in_htcondor(StudyFolder const& folder);
void cancel_in_htcondor(StudyFolder const& folder);

/// The log of all of the study's jobs.
std::filesystem::path log_of_htcondor(StudyFolder const& folder);

}  // namespace gridcast::study
