#include "sim/engine/avoided_hosts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sim/base/error.hpp"

namespace gridcast::engine {
namespace {

using history::RecordedAttempt;
using history::RecordedJob;
using history::RecordedJobs;

/// True for each host of the record that is avoided, by its number.
std::vector<bool> avoided(RecordedJobs const& recorded, std::vector<std::string> const& hosts) {
  std::vector<bool> all(recorded.hosts.size() + 1);
  for (std::size_t i = 0; i < recorded.hosts.size(); ++i) {
    all[i + 1] = std::find(hosts.begin(), hosts.end(), recorded.hosts[i]) != hosts.end();
  }
  return all;
}

/// True if the job is over with this attempt.
bool ends_job(RecordedAttempt const& attempt) {
  return RecordedJob{.attempts = {attempt}}.end() != history::RecordedEnd::unfinished;
}

class OtherAttempts {
 public:
  OtherAttempts(RecordedJobs const& recorded, std::vector<bool> const& is_avoided) {
    for (RecordedJob const& job : recorded.jobs) {
      for (RecordedAttempt const& attempt : job.attempts) {
        if (!is_avoided[attempt.host] && !attempt.in_queue && !attempt.open) {
          attempts_.push_back(&attempt);
        }
      }
    }
    any_ends_ = std::any_of(attempts_.begin(), attempts_.end(),
                            [](RecordedAttempt const* each) { return ends_job(*each); });
    if (attempts_.empty()) throw InternalError("a strategy leaves a host to the campaign");
  }

  /// One of them, after this wait in the queue.
  RecordedAttempt draw(Seconds wait, RandomStream& stream) const {
    RecordedAttempt drawn = *attempts_[stream.below(static_cast<std::uint32_t>(attempts_.size()))];
    drawn.wait = wait;
    return drawn;
  }

  /// True if further attempts can end a job.
  bool any_ends() const { return any_ends_; }

 private:
  std::vector<RecordedAttempt const*> attempts_;
  bool any_ends_ = false;
};

RecordedJob elsewhere(RecordedJob const& job, std::vector<bool> const& is_avoided,
                      OtherAttempts const& others, Seconds usual_wait, RandomStream& stream) {
  RecordedJob next = job;
  next.attempts.clear();
  bool changed = false;
  for (RecordedAttempt const& attempt : job.attempts) {
    bool const moves = is_avoided[attempt.host] && !attempt.in_queue;
    next.attempts.push_back(moves ? others.draw(attempt.wait, stream) : attempt);
    changed = changed || moves;
    if (moves && ends_job(next.attempts.back())) return next;
  }
  // A job whose last attempt stays has the end that is recorded, or none.
  bool const ended = job.attempts.empty() || ends_job(next.attempts.back());
  bool const last_moved = !job.attempts.empty() && is_avoided[job.attempts.back().host];
  if (ended || !last_moved || !others.any_ends()) return next;
  while (!ends_job(next.attempts.back())) {
    next.attempts.push_back(others.draw(usual_wait, stream));
  }
  return next;
}

}  // namespace

RecordedJobs without_hosts(RecordedJobs const& recorded, std::vector<std::string> const& hosts,
                           RandomStream stream) {
  auto const is_avoided = avoided(recorded, hosts);
  OtherAttempts const others(recorded, is_avoided);
  RecordedJobs next = recorded;
  for (RecordedJob& job : next.jobs) {
    job = elsewhere(job, is_avoided, others, recorded.usual_wait, stream);
  }
  return next;
}

history::SlotSupply supply_without_hosts(history::RecordedCampaign const& recorded,
                                         std::vector<std::string> const& hosts) {
  auto const is_avoided = avoided(recorded.jobs, hosts);
  RecordedJobs others = recorded.jobs;
  for (RecordedJob& job : others.jobs) {
    // An attempt without a slot takes its time, and is in no claim.
    for (RecordedAttempt& attempt : job.attempts) {
      if (is_avoided[attempt.host]) attempt.in_queue = true;
    }
  }
  return {history::first_free_slots(others), recorded.slots.pause};
}

}  // namespace gridcast::engine
