#include "sim/engine/access_point.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/strategy/decisions.hpp"

namespace gridcast {

namespace {

// OSPool policy.md: a job that has been in the queue for three months may be removed.
constexpr Seconds longest_in_queue = days(90);

std::uint32_t number(Id<Job> job) { return static_cast<std::uint32_t>(job.index()); }

// Released, a job with too large an input would fail the same check again: people give up.
double release_probability(World const& world, Reason reason) {
  if (reason == Reason::input_too_large) return 0;
  return retryable(reason) ? world.release_transfer_hold : world.release_other_hold;
}

}  // namespace

AccessPoint::AccessPoint(Clock& clock, Recorder& recorder, AccessPointSpec const& spec,
                         Campaign const& campaign, Strategy const& strategy, World const& world,
                         RandomStreams const& streams, std::size_t sites)
    : clock_(clock),
      recorder_(recorder),
      spec_(spec),
      campaign_(campaign),
      strategy_(strategy),
      world_(world),
      streams_(streams),
      sites_(sites),
      ads_(static_cast<std::size_t>(campaign.jobs())),
      unsettled_(ads_.size()) {}

void AccessPoint::open(std::function<void()> on_idle, std::function<void()> on_settled) {
  on_idle_ = std::move(on_idle);
  on_settled_ = std::move(on_settled);
  std::size_t first = 0;
  for (Submission const& submission : campaign_.submit) {
    clock_.at(submission.at, [this, first, count = submission.jobs] { submit(first, count); });
    first += static_cast<std::size_t>(submission.jobs);
  }
}

void AccessPoint::submit(std::size_t first, int count) {
  bool const too_large =
      too_large_to_submit(strategy_.transfer, campaign_.input_size(), spec_.max_transfer_input);
  for (std::size_t i = first; i < first + static_cast<std::size_t>(count); ++i) {
    Id<Job> const job(i);
    ad(job).submitted = clock_.now();
    recorder_.record(job, EventKind::submitted);
    if (too_large) {
      hold(job, Reason::input_too_large);
    } else {
      make_idle(job);
    }
  }
}

bool AccessPoint::accepts(Id<Job> job, std::size_t site) const {
  auto const& avoid_until = ads_[job.index()].avoid_until;
  return avoid_until.empty() || avoid_until[site] <= clock_.now();
}

void AccessPoint::transfer_failed(Id<Job> job, SlotRef const& slot, Reason reason) {
  using Action = AfterFailure::Action;
  JobAd& job_ad = ad(job);
  if (reason == Reason::transfer_stalled) note_stall(job, slot);
  bool const unlucky = streams_.stream(Purpose::hold, number(job), job_ad.input_attempts)
                           .chance(world_.hold_on_failure);
  AfterFailure const next = after_transfer_failure(
      strategy_.retry, {.reason = reason, .cool_downs = job_ad.cool_downs, .unlucky = unlucky},
      streams_.stream(Purpose::strategy, number(job)));
  // A stall is the starter's exception first, whatever follows; other failures are told by the
  // hold.
  if (next.action != Action::hold || reason == Reason::transfer_stalled) {
    recorder_.record(job, EventKind::shadow_exception, slot, reason);
  }
  if (next.action == Action::hold) {
    hold(job, reason, &slot);
    return;
  }
  if (next.action == Action::cool_down) {
    ++job_ad.cool_downs;
    idle_after(job, next.cool_down);
    return;
  }
  job_ad.claim_reusable = true;
  job_ad.claim = slot;
  if (!too_old(job)) make_idle(job);
}

void AccessPoint::note_stall(Id<Job> job, SlotRef const& slot) {
  if (strategy_.match.avoid_site_after_stalls == 0) return;
  JobAd& job_ad = ad(job);
  job_ad.stalls_at.resize(sites_);
  job_ad.avoid_until.resize(sites_);
  int& stalls = job_ad.stalls_at[slot.site.index()];
  ++stalls;
  if (!avoids_site(strategy_.match, stalls)) return;
  stalls = 0;
  job_ad.avoid_until[slot.site.index()] = clock_.now() + strategy_.match.avoid_site_for;
}

void AccessPoint::evicted(Id<Job> job, SlotRef const& slot) {
  recorder_.record(job, EventKind::evicted, slot, Reason::pilot_ended);
  if (!too_old(job)) make_idle(job);
}

void AccessPoint::not_started(Id<Job> job) { make_idle(job); }

void AccessPoint::terminated(Id<Job> job, SlotRef const& slot, Reason reason) {
  recorder_.record(job, EventKind::terminated, slot, reason, reason == Reason::none);
  settle();
}

void AccessPoint::held_while_running(Id<Job> job, SlotRef const& slot, Reason reason) {
  hold(job, reason, &slot);
}

void AccessPoint::make_idle(Id<Job> job) {
  idle_.insert(number(job));
  on_idle_();
}

void AccessPoint::idle_after(Id<Job> job, Seconds time) {
  clock_.at(clock_.now() + time, [this, job] {
    if (!too_old(job)) make_idle(job);
  });
}

void AccessPoint::hold(Id<Job> job, Reason reason, SlotRef const* slot) {
  JobAd& job_ad = ad(job);
  recorder_.record(job, EventKind::held, slot ? *slot : SlotRef{}, reason);
  RandomStream people = streams_.stream(Purpose::people, number(job), job_ad.holds++);
  auto const by_policy = policy_release_after(strategy_.release, reason, job_ad.policy_releases,
                                              spec_.policy_interval);
  bool const by_hand = people.chance(release_probability(world_, reason));
  Seconds const hand_delay(world_.release_delay.sample(people));
  if (by_policy && !(by_hand && hand_delay < *by_policy)) {
    ++job_ad.policy_releases;
    clock_.at(clock_.now() + *by_policy, [this, job] { release(job, Reason::policy); });
  } else if (by_hand) {
    clock_.at(clock_.now() + hand_delay, [this, job] { release(job, Reason::manual); });
  } else {
    settle();
  }
}

void AccessPoint::release(Id<Job> job, Reason by) {
  recorder_.record(job, EventKind::released, by);
  if (!too_old(job)) make_idle(job);
}

bool AccessPoint::too_old(Id<Job> job) {
  if (clock_.now() - ad(job).submitted < longest_in_queue) return false;
  recorder_.record(job, EventKind::aborted, Reason::policy);
  settle();
  return true;
}

void AccessPoint::settle() {
  if (--unsettled_ == 0) on_settled_();
}

}  // namespace gridcast
