// Second copies of late jobs: a job that has not ended for some time after its submission is
// submitted once more, and the first result ends the other one of the two (condor_submit and
// condor_rm by the owner or a script). A copy has the number of its job plus the number of all
// jobs. It has the job's work and needs, and random numbers of its own otherwise.
#pragma once

#include <vector>

#include "sim/engine/clock.hpp"
#include "sim/history/job_history.hpp"
#include "sim/scenario/campaign.hpp"

namespace gridcast::engine {

class SecondCopies {
 public:
  explicit SecondCopies(scenario::Campaign const& campaign)
      : jobs_(scenario::first_jobs(campaign)),
        copies_(static_cast<std::size_t>(campaign.jobs()) > jobs_ ? jobs_ : 0) {}

  bool used() const { return !copies_.empty(); }
  bool is_copy(Id<history::Job> job) const { return job.index() >= jobs_; }
  /// The copy of a job, or the job of a copy.
  Id<history::Job> other(Id<history::Job> job) const {
    return Id<history::Job>(is_copy(job) ? job.index() - jobs_ : job.index() + jobs_);
  }
  /// The copy of a job.
  struct Copy {
    bool may_come = true;    // neither submitted nor given up
    Timer* timer = nullptr;  // of its submission
  };
  Copy& of(Id<history::Job> job) { return copies_[job.index()]; }
  std::size_t jobs() const { return copies_.size(); }

 private:
  std::size_t jobs_;
  std::vector<Copy> copies_;
};

}  // namespace gridcast::engine
