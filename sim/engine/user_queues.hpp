// Whose jobs are in the queue, what their users hold, and their priorities: what a negotiation
// cycle needs to share slots between users (sim/strategy/fair_share.hpp). A campaign of one user
// costs nothing here.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/base/id.hpp"
#include "sim/base/index_set.hpp"
#include "sim/engine/clock.hpp"
#include "sim/history/job_event.hpp"
#include "sim/scenario/campaign.hpp"

namespace gridcast::engine {

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

}  // namespace gridcast::engine
