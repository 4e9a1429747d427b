#include "sim/engine/job_queue.hpp"

#include <algorithm>

#include "sim/strategy/fair_share.hpp"

namespace gridcast::engine {

UserQueues::UserQueues(Clock const& clock, scenario::Campaign const& campaign, Seconds half_life)
    : clock_(clock), half_life_(half_life) {
  std::uint32_t first = 0;
  for (scenario::Submission const& submission : campaign.submit) {
    std::uint32_t const end = first + static_cast<std::uint32_t>(submission.jobs);
    user_named(submission).jobs.push_back({first, end});
    first = end;
  }
  if (!several()) return;
  claimed_.resize(first);
  user_of_.resize(first);
  for (std::uint32_t i = 0; i < users_.size(); ++i) {
    for (Range const& range : users_[i].jobs) {
      std::fill(user_of_.begin() + range.first, user_of_.begin() + range.end, i);
    }
  }
}

UserQueues::User& UserQueues::user_named(scenario::Submission const& submission) {
  auto const found = std::find_if(users_.begin(), users_.end(),
                                  [&](User const& user) { return user.name == submission.user; });
  if (found != users_.end()) return *found;
  User& user = users_.emplace_back();
  user.name = submission.user;
  user.factor = submission.priority_factor;
  return user;
}

void UserQueues::update(User& user) const {
  user.real_priority = strategy::real_priority_after(user.real_priority, user.running,
                                                     clock_.now() - user.updated, half_life_);
  user.updated = clock_.now();
}

void UserQueues::count(Id<history::Job> job, bool claimed) {
  if (claimed_[job.index()] == claimed) return;
  claimed_[job.index()] = claimed;
  User& user = users_[user_of_[job.index()]];
  update(user);
  user.running += claimed ? 1 : -1;
}

std::vector<std::uint32_t> UserQueues::idle_of(User const& user, IndexSet const& idle) {
  std::vector<std::uint32_t> jobs;
  for (Range const& range : user.jobs) {
    auto const end = idle.lower_bound(range.end);
    for (auto job = idle.lower_bound(range.first); job != end; ++job) jobs.push_back(*job);
  }
  return jobs;
}

void UserQueues::negotiate(IndexSet const& idle, int free,
                           std::function<bool(Id<history::Job>)> const& match) {
  std::vector<strategy::Submitter> submitters;
  std::vector<std::vector<std::uint32_t>> waiting;
  std::vector<std::size_t> next(users_.size());
  int slots = free;
  for (User& user : users_) {
    update(user);
    waiting.push_back(idle_of(user, idle));
    submitters.push_back(
        {user.real_priority * user.factor, user.running, static_cast<int>(waiting.back().size())});
    slots += user.running;
  }
  strategy::spin_pie(std::move(submitters), slots, [&](std::size_t i) {
    while (next[i] < waiting[i].size()) {
      bool const matched = match(Id<history::Job>(waiting[i][next[i]++]));
      if (matched) return strategy::MatchResult::matched;
    }
    return strategy::MatchResult::no_slot;
  });
}

std::vector<std::string> users_by_job(scenario::Campaign const& campaign) {
  bool const several = std::any_of(
      campaign.submit.begin(), campaign.submit.end(),
      [&](scenario::Submission const& each) { return each.user != campaign.submit.front().user; });
  std::vector<std::string> users;
  for (scenario::Submission const& submission : campaign.submit) {
    if (several)
      users.insert(users.end(), static_cast<std::size_t>(submission.jobs), submission.user);
  }
  return users;
}

}  // namespace gridcast::engine
