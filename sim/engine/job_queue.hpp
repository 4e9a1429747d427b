// The jobs of the queue taken together: how many of a submission are in it yet, and whose they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/index_set.hpp"
#include "sim/base/units.hpp"
#include "sim/engine/clock.hpp"
#include "sim/history/job_event.hpp"
#include "sim/scenario/campaign.hpp"

namespace gridcast::engine {

/// Whose jobs are in the queue, what slots their users have, and their priorities: what a
/// negotiation cycle needs to share slots between users (sim/strategy/fair_share.hpp). A campaign of
/// one user costs nothing here.
class UserQueues {
 public:
  UserQueues(Clock const& clock, scenario::Campaign const& campaign, Seconds half_life);

  bool several() const { return users_.size() > 1; }
  /// A slot is the job's from now on, or no longer.
  void claimed(Id<history::Job> job) { several() ? count(job, true) : void(); }
  void released(Id<history::Job> job) { several() ? count(job, false) : void(); }

  /// Offers the users' idle jobs to `match` as their shares allow. `match` says whether a slot
  /// suited, and then takes the job out of `idle`.
  void negotiate(IndexSet const& idle, int free,
                 std::function<bool(Id<history::Job>)> const& match);

 private:
  struct Range {
    std::uint32_t first = 0, end = 0;  // jobs of one submission
  };
  struct User {
    std::string name;
    double factor = 1000;
    std::vector<Range> jobs;
    double real_priority = 0.5;
    int running = 0;
    Seconds updated;
  };

  User& user_named(scenario::Submission const& submission);
  void count(Id<history::Job> job, bool claimed);
  void update(User& user) const;
  static std::vector<std::uint32_t> idle_of(User const& user, IndexSet const& idle);

  Clock const& clock_;
  Seconds half_life_;
  std::vector<User> users_;
  std::vector<std::uint32_t> user_of_;  // by job; empty if there is one user
  std::vector<bool> claimed_;           // by job
};

/// The users' names by job; empty if there is one.
std::vector<std::string> users_by_job(scenario::Campaign const& campaign);

struct QueueCounts {
  int idle = 0;      // in the queue and idle
  int in_queue = 0;  // not yet settled
};

/// Late materialisation: the schedd makes jobs of a submission one by one, so that no more than
/// max_idle are idle and no more than max_materialize are in the queue (condor_submit, "max_idle",
/// "max_materialize"). A job that is held for good gives up its place.
class Factory {
 public:
  explicit Factory(scenario::Campaign const& campaign)
      : max_idle_(campaign.max_idle), max_materialize_(campaign.max_materialize) {}

  bool limited() const { return max_idle_ > 0 || max_materialize_ > 0; }
  void add(std::size_t first, int count) {
    for (int i = 0; i < count; ++i) waiting_.emplace_back(first + static_cast<std::size_t>(i));
  }
  bool empty() const { return waiting_.empty(); }

  /// The next job to make, if there is one and the limits allow it.
  std::optional<Id<history::Job>> next(QueueCounts const& counts) {
    bool const full = (max_idle_ > 0 && counts.idle >= max_idle_) ||
                      (max_materialize_ > 0 && counts.in_queue >= max_materialize_);
    if (waiting_.empty() || full) return {};
    Id<history::Job> const job = waiting_.front();
    waiting_.pop_front();
    return job;
  }

 private:
  int max_idle_, max_materialize_;
  std::deque<Id<history::Job>> waiting_;
};

}  // namespace gridcast::engine
