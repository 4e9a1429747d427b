// The ads of a campaign's jobs. A job that has only been submitted has nothing to tell but when;
// its ad is made when somebody asks for it, and forgotten when the job is settled.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/engine/job_ad.hpp"
#include "sim/history/per_job.hpp"

namespace gridcast::engine {

class QueuedAds {
 public:
  explicit QueuedAds(std::size_t jobs) : submitted_(jobs) { ads_.reserve(jobs); }

  std::size_t size() const { return submitted_.size(); }

  /// The job is in the queue from now on.
  void enter(Id<history::Job> job, Seconds now) { submitted_[job.index()] = now; }

  Seconds submitted(Id<history::Job> job) const { return submitted_[job.index()]; }

  /// Of a job in the queue. A reference is good until the job is settled.
  JobAd& operator[](std::size_t job) const {
    bool const known = ads_.find(Id<history::Job>(job)) != nullptr;
    JobAd& ad = ads_[Id<history::Job>(job)];
    if (!known) ad.submitted = ad.entered_status = submitted_[job];
    return ad;
  }

  void forget(Id<history::Job> job) { ads_.forget(job); }

 private:
  std::vector<Seconds> submitted_;      // by job
  mutable history::PerJob<JobAd> ads_;  // of the jobs that somebody has asked about
};

}  // namespace gridcast::engine
