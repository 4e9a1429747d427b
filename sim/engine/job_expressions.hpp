// What a job's own expressions decide while it is in the queue: its periodic policies, and which
// slots it takes (its requirements and rank, and the sites that its strategy avoids for a while).
#pragma once

#include <functional>
#include <vector>

#include "sim/engine/job_ad.hpp"
#include "sim/history/per_job.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::engine {

/// Looks after the periodic policies of the jobs in the queue: one timer for each job whose policy
/// will do something unless something else happens first, set anew whenever the job's ad changes.
/// Costs nothing where no job has such a policy.
class PolicyWatch {
 public:
  using Act = std::function<void(Id<history::Job>, strategy::PolicyDecision const&)>;

  PolicyWatch(Clock& clock, QueuedAds const& ads, Seconds interval, Act act);

  /// The job's ad has changed.
  void changed(Id<history::Job> job);
  /// The job is out of its policy's reach.
  void forget(Id<history::Job> job);
  /// Whether the policy will do something with the job as it stands.
  bool waits(Id<history::Job> job) const { return active_ && timers_[job.index()] != nullptr; }

 private:
  std::optional<strategy::PolicyDecision> decide(Id<history::Job> job) const;

  Clock& clock_;
  QueuedAds const& ads_;
  Seconds interval_;
  Act act_;
  bool active_;
  std::vector<Timer*> timers_;  // by job
};

/// Which sites a job accepts, and how it ranks them: its requirements and rank, evaluated over its
/// ad and the slot's, and the sites that its strategy avoids. A slot of a site is like any other
/// there. Left out: attributes of single machines.
class SlotChoice {
 public:
  SlotChoice(Clock const& clock, QueuedAds const& ads, scenario::MatchStrategy const& strategy)
      : clock_(clock), ads_(ads), strategy_(strategy) {}

  bool accepts(Id<history::Job> job, std::size_t site) const;
  /// 0 where the rank is nothing that counts, as in HTCondor.
  double rank(Id<history::Job> job, std::size_t site) const;
  /// Whether what an idle job accepts can change while nothing happens to it.
  bool changes_with_time() const { return avoids() || policy().requirements; }
  /// The job's input transfer at a site came to nothing.
  void stalled(Id<history::Job> job, Id<history::Site> site);
  /// The job is settled.
  void forget(Id<history::Job> job) { avoided_.forget(job); }
  bool has_rank() const { return policy().rank.has_value(); }

 private:
  struct Avoided {
    std::vector<int> stalls;     // by site
    std::vector<Seconds> until;  // by site
  };

  scenario::JobPolicy const& policy() const { return ads_.facts().policy; }
  bool avoids() const { return strategy_.avoid_site_after_stalls > 0; }
  classad::Value evaluate(classad::Expression const& rule, Id<history::Job> job,
                          std::size_t site) const;

  Clock const& clock_;
  QueuedAds const& ads_;
  scenario::MatchStrategy const& strategy_;
  history::PerJob<Avoided> avoided_;  // of jobs that have stalled, if the strategy avoids anything
};

}  // namespace gridcast::engine
