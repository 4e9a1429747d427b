// Which sites a job accepts, and how it ranks them: its requirements and rank, evaluated over its
// ad and the slot's, and the sites that its strategy avoids for a while. A slot of a site is like
// any other there. Left out: attributes of single machines.
#pragma once

#include <vector>

#include "sim/engine/job_scope.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast {

class SlotChoice {
 public:
  SlotChoice(Clock const& clock, JobFacts const& facts, std::vector<JobName> const& names,
             std::vector<JobAd> const& ads, MatchStrategy const& strategy);

  bool accepts(Id<Job> job, std::size_t site) const;
  /// 0 where the rank is nothing that counts, as in HTCondor.
  double rank(Id<Job> job, std::size_t site) const;
  /// Whether what an idle job accepts can change while nothing happens to it.
  bool changes_with_time() const { return avoids() || facts_.policy.requirements; }
  /// The job's input transfer at a site came to nothing.
  void stalled(Id<Job> job, Id<Site> site);
  bool has_rank() const { return facts_.policy.rank.has_value(); }

 private:
  struct Avoided {
    std::vector<int> stalls;     // by site
    std::vector<Seconds> until;  // by site
  };

  bool avoids() const { return strategy_.avoid_site_after_stalls > 0; }
  classad::Value evaluate(classad::Expression const& rule, Id<Job> job, std::size_t site) const;

  Clock const& clock_;
  JobFacts const& facts_;
  std::vector<JobName> const& names_;
  std::vector<JobAd> const& ads_;
  MatchStrategy const& strategy_;
  std::vector<Avoided> avoided_;  // by job; empty if the strategy avoids nothing
};

}  // namespace gridcast
