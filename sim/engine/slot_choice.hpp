// Which sites a job accepts, and how it ranks them: its requirements and rank, evaluated over its
// ad and the slot's, and the sites that its strategy avoids for a while. A slot of a site is like
// any other there. Left out: attributes of single machines.
#pragma once

#include <vector>

#include "sim/engine/job_scope.hpp"
#include "sim/engine/queued_ads.hpp"
#include "sim/history/per_job.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::engine {

class SlotChoice {
 public:
  SlotChoice(Clock const& clock, JobFacts const& facts, std::vector<history::JobName> const& names,
             QueuedAds const& ads, scenario::MatchStrategy const& strategy);

  bool accepts(Id<history::Job> job, std::size_t site) const;
  /// 0 where the rank is nothing that counts, as in HTCondor.
  double rank(Id<history::Job> job, std::size_t site) const;
  /// Whether what an idle job accepts can change while nothing happens to it.
  bool changes_with_time() const { return avoids() || facts_.policy.requirements; }
  /// The job's input transfer at a site came to nothing.
  void stalled(Id<history::Job> job, Id<history::Site> site);
  /// The job is settled.
  void forget(Id<history::Job> job) { avoided_.forget(job); }
  bool has_rank() const { return facts_.policy.rank.has_value(); }

 private:
  struct Avoided {
    std::vector<int> stalls;     // by site
    std::vector<Seconds> until;  // by site
  };

  bool avoids() const { return strategy_.avoid_site_after_stalls > 0; }
  classad::Value evaluate(classad::Expression const& rule, Id<history::Job> job,
                          std::size_t site) const;

  Clock const& clock_;
  JobFacts const& facts_;
  std::vector<history::JobName> const& names_;
  QueuedAds const& ads_;
  scenario::MatchStrategy const& strategy_;
  history::PerJob<Avoided>
      avoided_;  // of the jobs that have stalled, if the strategy avoids anything
};

}  // namespace gridcast::engine
