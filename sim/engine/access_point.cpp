#include "sim/engine/access_point.hpp"

#include <algorithm>
#include <utility>

#include "sim/strategy/decisions.hpp"
#include "sim/strategy/job_exit.hpp"
#include "sim/strategy/people.hpp"

namespace gridcast {

namespace {

// OSPool policy.md: a job that has been in the queue for three months may be removed.
constexpr Seconds longest_in_queue = days(90);

std::uint32_t number(Id<Job> job) { return static_cast<std::uint32_t>(job.index()); }

// In a table's world an execution that is too long is the pilots' business; they know its length.
JobPolicy effective_policy(JobPolicy policy, World const& world, AccessPointSpec const& spec) {
  if (!world.dated) {
    policy.allowed_execute_duration.reset();
  } else if (!policy.allowed_execute_duration) {
    policy.allowed_execute_duration = spec.max_execution;
  }
  return policy;
}

}  // namespace

AccessPoint::AccessPoint(Clock& clock, Recorder& recorder, Pool const& pool,
                         Campaign const& campaign, Strategy const& strategy, World const& world,
                         RandomStreams const& streams, std::vector<JobName> const& names)
    : clock_(clock),
      recorder_(recorder),
      pool_(pool),
      spec_(pool.access_point),
      campaign_(campaign),
      strategy_(strategy),
      world_(world),
      streams_(streams),
      names_(names),
      policy_(effective_policy(strategy.retry.policy, world, spec_)),
      facts_{policy_, campaign.request, pool.sites},
      ads_(static_cast<std::size_t>(campaign.jobs())),
      watch_(clock, facts_, spec_.policy_interval, names, ads_,
             [this](Id<Job> job, PolicyDecision const& decision) { act(job, decision); }),
      choice_(clock, facts_, names, ads_, strategy.match),
      factory_(campaign),
      users_(clock, campaign, pool.negotiator.priority_halflife),
      unsettled_(ads_.size()) {}

void AccessPoint::open(std::function<void()> on_idle, std::function<void()> on_settled) {
  on_idle_ = std::move(on_idle);
  on_settled_ = std::move(on_settled);
  std::size_t first = 0;
  for (Submission const& submission : campaign_.submit) {
    clock_.at(submission.at, [this, first, count = submission.jobs] { submit(first, count); });
    first += static_cast<std::size_t>(submission.jobs);
  }
  bool const may_never_match = world_.dated || policy_.requirements;
  if (may_never_match) sweep_ = clock_.at(longest_in_queue, [this] { sweep(); });
}

void AccessPoint::submit(std::size_t first, int count) {
  factory_.add(first, count);
  materialise();
}

void AccessPoint::materialise() {
  while (auto const job = factory_.next(counts_)) enter_queue(*job);
}

void AccessPoint::enter_queue(Id<Job> job) {
  ads_.enter(job, clock_.now());
  ++counts_.in_queue;
  ++counts_.idle;
  recorder_.record(job, EventKind::submitted);
  if (too_large_to_submit(strategy_.transfer, campaign_.input_size(), spec_.max_transfer_input)) {
    hold(job, Reason::input_too_large);
    return;
  }
  watch_.changed(job);
  make_room();
  add_idle(job);
}

void AccessPoint::set_status(Id<Job> job, JobStatus status) {
  JobAd& job_ad = ad(job);
  if (job_ad.status != status) {
    if (job_ad.status == JobStatus::idle) --counts_.idle;
    if (status == JobStatus::idle) ++counts_.idle;
    job_ad.status = status;
    job_ad.entered_status = clock_.now();
  }
  watch_.changed(job);
  make_room();
}

void AccessPoint::make_room() {
  // Not from within: what makes room for a job is still going on.
  if (!factory_.limited() || factory_.empty() || materialises_) return;
  materialises_ = true;
  clock_.at(clock_.now(), [this] {
    materialises_ = false;
    materialise();
  });
}

JobScope AccessPoint::scope(Id<Job> job) const {
  return {facts_, names_[job.index()], ads_[job.index()], clock_.now()};
}

void AccessPoint::matched(Id<Job> job, Claim& claim) {
  JobAd& job_ad = ad(job);
  ++job_ad.matches;
  job_ad.claim_reusable = false;
  job_ad.held_claim = &claim;
  users_.claimed(job);
  watch_.changed(job);
}

void AccessPoint::started(Id<Job> job, SlotRef const& slot) {
  JobAd& job_ad = ad(job);
  ++job_ad.shadow_starts;
  job_ad.started = job_ad.last_start = clock_.now();
  if (!job_ad.first_start) job_ad.first_start = clock_.now();
  job_ad.last_slot = slot;
  recorder_.record(job, EventKind::matched, slot);
  set_status(job, JobStatus::running);
}

std::uint32_t AccessPoint::executing(Id<Job> job, SlotRef const& slot) {
  JobAd& job_ad = ad(job);
  recorder_.record(job, EventKind::executing, slot);
  job_ad.executing = clock_.now();
  std::uint32_t const execution = job_ad.executions++;
  watch_.changed(job);
  return execution;
}

// allowed_execute_duration counts from the last checkpoint.
void AccessPoint::checkpointed(Id<Job> job, SlotRef const& slot, int epochs) {
  JobAd& job_ad = ad(job);
  recorder_.record(job, EventKind::checkpointed, slot);
  job_ad.epochs_stored = epochs;
  job_ad.executing = clock_.now();
  watch_.changed(job);
}

void AccessPoint::leave_slot(Id<Job> job) {
  JobAd& job_ad = ad(job);
  if (job_ad.slot_gone) dead_leases_ += clock_.now() - *job_ad.slot_gone;
  job_ad.slot_gone.reset();
  job_ad.held_claim = nullptr;
  users_.released(job);
  job_ad.decision.reset();
  job_ad.started.reset();
  job_ad.executing.reset();
}

void AccessPoint::transfer_failed(Id<Job> job, SlotRef const& slot, Reason reason) {
  using Action = AfterFailure::Action;
  JobAd& job_ad = ad(job);
  leave_slot(job);
  if (reason == Reason::transfer_stalled || world_.dated) choice_.stalled(job, slot.site);
  bool const unlucky = streams_.stream(Purpose::hold, number(job), job_ad.input_attempts)
                           .chance(world_.hold_on_failure);
  bool const held_as_recorded =
      world_.dated && strategy_.retry.on_transfer_failure == OnTransferFailure::recorded;
  AfterFailure const next = after_transfer_failure(
      strategy_.retry,
      {.reason = reason, .cool_downs = job_ad.cool_downs, .unlucky = unlucky || held_as_recorded},
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

void AccessPoint::evicted(Id<Job> job, SlotRef const& slot, Loss const& loss) {
  recorder_.record(job, EventKind::evicted, slot, loss.reason);
  leave_slot(job);
  ++ad(job).vacates;
  if (loss.requeue_delay > Seconds()) {
    idle_after(job, loss.requeue_delay);
  } else if (!too_old(job)) {
    make_idle(job);
  }
}

void AccessPoint::reconnect_failed(Id<Job> job, SlotRef const& slot, Loss const& loss) {
  recorder_.record(job, EventKind::reconnect_failed, slot, loss.reason);
  leave_slot(job);
  ++ad(job).vacates;
  idle_after(job, loss.requeue_delay);
}

void AccessPoint::lost(Id<Job> job, SlotRef const& slot, Seconds lease_end, Loss const& loss) {
  ad(job).held_claim = nullptr;
  ad(job).slot_gone = clock_.now();
  wait(job, lease_end, [this, job, slot, loss] { reconnect_failed(job, slot, loss); });
}

void AccessPoint::not_started(Id<Job> job) {
  leave_slot(job);
  make_idle(job);
}

void AccessPoint::exited(Id<Job> job, SlotRef const& slot, Reason reason) {
  JobAd& job_ad = ad(job);
  ++job_ad.completions;
  job_ad.exit_code = reason == Reason::none ? policy_.success_exit_code : 1;
  JobScope const my = scope(job);
  AfterExit const next = after_exit(policy_, {.exit_code = *job_ad.exit_code,
                                              .completions = job_ad.completions,
                                              .job = {my, nullptr, my.unix_now()}});
  if (next == AfterExit::hold) {
    hold(job, Reason::policy, &slot, policy_.on_exit_hold_subcode);
    return;
  }
  bool const leaves = next == AfterExit::leave;
  recorder_.record({.job = job,
                    .kind = leaves ? EventKind::terminated : EventKind::requeued,
                    .reason = reason,
                    .site = slot.site,
                    .slot = slot.number,
                    .useful = reason == Reason::none,
                    .exit_code = static_cast<std::int16_t>(*job_ad.exit_code)});
  leave_slot(job);
  if (leaves) {
    settle(job, JobStatus::completed);
  } else if (!too_old(job)) {
    make_idle(job);
  }
}

void AccessPoint::held_while_running(Id<Job> job, SlotRef const& slot, Reason reason) {
  hold(job, reason, &slot);
}

void AccessPoint::stopped(Id<Job> job, SlotRef const& slot) {
  JobAd& job_ad = ad(job);
  bool const ran = job_ad.status == JobStatus::running;
  PolicyDecision const decision = *job_ad.decision;
  apply(job, decision, ran ? &slot : nullptr);
}

void AccessPoint::act(Id<Job> job, PolicyDecision const& decision) {
  JobAd& job_ad = ad(job);
  if (Claim* const claim = job_ad.held_claim) {
    job_ad.decision = decision;
    claim->end(Claim::End::by_access_point);
    return;
  }
  SlotRef const slot = job_ad.last_slot;
  apply(job, decision, job_ad.status == JobStatus::running ? &slot : nullptr);
}

void AccessPoint::apply(Id<Job> job, PolicyDecision const& decision, SlotRef const* slot) {
  forget_wait(job);
  idle_.erase(number(job));
  switch (decision.action) {
    case PolicyAction::hold:
      hold(job, decision.reason, slot,
           decision.reason == Reason::policy ? policy_.periodic_hold_subcode : 0);
      return;
    case PolicyAction::release:
      ++ad(job).policy_releases;
      release(job, Reason::policy);
      return;
    case PolicyAction::remove:
      remove(job, Reason::policy, slot);
      return;
    case PolicyAction::vacate:
      evicted(job, *slot, {Reason::policy, {}});
      return;
  }
}

void AccessPoint::make_idle(Id<Job> job) {
  set_status(job, JobStatus::idle);
  add_idle(job);
}

void AccessPoint::add_idle(Id<Job> job) {
  idle_.insert(number(job));
  on_idle_();
}

void AccessPoint::idle_after(Id<Job> job, Seconds time) {
  set_status(job, JobStatus::idle);
  wait(job, clock_.now() + time, [this, job] {
    if (!too_old(job)) make_idle(job);
  });
}

void AccessPoint::wait(Id<Job> job, Seconds until, std::function<void()> then) {
  ad(job).timer = clock_.at(until, [this, job, then = std::move(then)] {
    ad(job).timer = nullptr;
    then();
  });
}

void AccessPoint::forget_wait(Id<Job> job) {
  if (Timer* const timer = std::exchange(ad(job).timer, nullptr)) timer->remove();
}

void AccessPoint::hold(Id<Job> job, Reason reason, SlotRef const* slot, int subcode) {
  JobAd& job_ad = ad(job);
  leave_slot(job);
  job_ad.hold_code = hold_code(reason);
  if (subcode != 0) job_ad.hold_code.subcode = subcode;
  ++job_ad.holds;
  if (reason != Reason::policy && reason != Reason::manual) ++job_ad.system_holds;
  recorder_.record({.job = job,
                    .kind = EventKind::held,
                    .reason = reason,
                    .site = slot ? slot->site : Id<Site>(),
                    .slot = slot ? slot->number : 0,
                    .code = static_cast<std::int16_t>(subcode != 0 ? job_ad.hold_code.code : 0),
                    .subcode = subcode});
  set_status(job, JobStatus::held);
  await_release(job, reason);
}

void AccessPoint::await_release(Id<Job> job, Reason reason) {
  using Deed = ByHand::Deed;
  JobAd& job_ad = ad(job);
  auto const by_policy = policy_release_after(strategy_.release, reason, job_ad.policy_releases,
                                              spec_.policy_interval);
  ByHand const hand = by_hand(world_, reason, static_cast<int>(job_ad.holds),
                              streams_.stream(Purpose::people, number(job), job_ad.holds - 1));
  bool const hand_acts = hand.deed != Deed::none;
  if (by_policy && !(hand_acts && hand.after < *by_policy)) {
    ++job_ad.policy_releases;
    wait(job, clock_.now() + *by_policy, [this, job] { release(job, Reason::policy); });
  } else if (hand_acts) {
    wait(job, clock_.now() + hand.after, [this, job, deed = hand.deed] {
      deed == Deed::release ? release(job, Reason::manual) : remove(job, Reason::manual);
    });
  } else if (!watch_.waits(job)) {
    settle(job, JobStatus::held);
  }
}

void AccessPoint::release(Id<Job> job, Reason by) {
  recorder_.record(job, EventKind::released, by);
  if (!too_old(job)) make_idle(job);
}

void AccessPoint::remove(Id<Job> job, Reason by, SlotRef const* slot) {
  recorder_.record(job, EventKind::aborted, slot ? *slot : SlotRef{}, by);
  leave_slot(job);
  settle(job, JobStatus::removed);
}

bool AccessPoint::too_old(Id<Job> job) {
  if (clock_.now() - ads_.submitted(job) < longest_in_queue) return false;
  remove(job, Reason::policy);
  return true;
}

// Jobs that no slot ever takes would wait for ever.
void AccessPoint::sweep() {
  sweep_ = clock_.at(clock_.now() + longest_in_queue, [this] { sweep(); });
  for (std::uint32_t const job : std::vector<std::uint32_t>(idle_.begin(), idle_.end())) {
    if (too_old(Id<Job>(job))) idle_.erase(job);
  }
}

void AccessPoint::settle(Id<Job> job, JobStatus status) {
  forget_wait(job);
  --counts_.in_queue;
  set_status(job, status);
  watch_.forget(job);
  choice_.forget(job);
  ads_.forget(job);
  recorder_.settled(job);
  if (--unsettled_ > 0) return;
  if (Timer* const timer = std::exchange(sweep_, nullptr)) timer->remove();
  on_settled_();
}

}  // namespace gridcast
