// Looks after the periodic policies of the jobs in the queue: one timer for each job whose policy
// will do something unless something else happens first, set anew whenever the job's ad changes.
// Costs nothing where no job has such a policy.
#pragma once

#include <functional>
#include <vector>

#include "sim/engine/job_scope.hpp"
#include "sim/engine/queued_ads.hpp"

namespace gridcast::engine {

class PolicyWatch {
 public:
  using Act = std::function<void(Id<history::Job>, strategy::PolicyDecision const&)>;

  PolicyWatch(Clock& clock, JobFacts const& facts, Seconds interval,
              std::vector<history::JobName> const& names, QueuedAds const& ads, Act act);

  /// The job's ad has changed.
  void changed(Id<history::Job> job);
  /// The job is out of its policy's reach.
  void forget(Id<history::Job> job);
  /// Whether the policy will do something with the job as it stands.
  bool waits(Id<history::Job> job) const { return active_ && timers_[job.index()] != nullptr; }

 private:
  std::optional<strategy::PolicyDecision> decide(Id<history::Job> job) const;

  Clock& clock_;
  JobFacts const& facts_;
  Seconds interval_;
  std::vector<history::JobName> const& names_;
  QueuedAds const& ads_;
  Act act_;
  bool active_;
  std::vector<Timer*> timers_;  // by job
};

}  // namespace gridcast::engine
