// Memory and disk of jobs: which slots offer what a job requests, and which jobs need more.
//
//   request   that of the campaign, or the strategy's expression over the job's ad at each match;
//             after an attempt that needed more, the value of retry_request_memory (in MB) or
//             retry_request_disk (in KB)
//   need      the job's own peak: quantile u of campaign.work.memory (or disk), by lines between
//             the evenly spaced quantiles; unknown for jobs with a request of `campaign.requests`
//   stopped   where the need is above the request, at a moment of the execution that is uniform
//             and the job's own; a workload of the catalogue in its first ten minutes, as training
//             reaches its peak in its first steps
// A job that is stopped is evicted if its retry requests more than before, and else held with
// code 34, subcode 102 (memory) or 104 (disk). Sources: condor_submit, "retry_request_memory";
// HTCondor manual, "HoldReasonCode"; the pilots' policy of the OSPool.
//
// Example: request_memory = 1 GB, retry_request_memory = 4096, a need of 3 GB: evicted once, then
// done. A need of 5 GB: evicted, then held.
#pragma once

#include <optional>

#include "sim/engine/job_ad.hpp"
#include "sim/engine/replica.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::engine {

/// True if requests change with the job's attempts.
bool requests_vary(scenario::JobPolicy const& policy);

/// Evaluates the job's requests for its next attempt.
void update_requests(JobFacts const& facts, JobAd& ad, JobScope const& my);

/// True if a slot of the site offers what the job requests.
bool offers_enough(JobFacts const& facts, JobAd const& ad, scenario::SiteSpec const& site);

/// The job's next request of a resource after an attempt that needed more; false if it is no more
/// than before, or if there is none.
bool raise_request(JobFacts const& facts, JobAd& ad, history::Resource resource,
                   JobScope const& my);

/// HoldReasonSubCode of code 34.
int subcode_of(history::Resource resource);

class ResourceNeeds {
 public:
  explicit ResourceNeeds(ReplicaInput const& in);

  /// True if any are stated. A repetition of recorded jobs has its record's ends.
  bool known() const { return known_; }
  /// Begins an execution: the resource of which the job needs more than it requests, if any.
  std::optional<history::Resource> exceeded(Id<history::Job> job, JobFacts const& facts,
                                            JobAd& ad) const;
  /// When that stops it, after the start of an execution that would last so long (none: training
  /// of the catalogue).
  Seconds stopped_after(Id<history::Job> job, std::optional<Seconds> execution) const;

 private:
  Bytes need(Id<history::Job> job, history::Resource resource) const;

  scenario::Work const& work_;
  std::size_t first_jobs_;
  RandomStreams const& streams_;
  bool known_;
};

}  // namespace gridcast::engine
