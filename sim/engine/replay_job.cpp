#include "sim/engine/replay_job.hpp"

#include <algorithm>

#include "sim/strategy/decisions.hpp"

namespace gridcast::engine {

namespace {
constexpr Seconds curl_patience(30);  // as in InputTransfer
}  // namespace

ReplayJob::ReplayJob(Clock& clock, Recorder& recorder, Scripts const& scripts,
                     ReplayGrid const& grid, scenario::Strategy const& strategy,
                     scenario::ParameterDraw const& draw, RandomStreams const& streams,
                     Id<history::Job> job)
    : clock_(clock),
      recorder_(recorder),
      scripts_(scripts),
      grid_(grid),
      strategy_(strategy),
      draw_(draw),
      streams_(streams),
      job_(job),
      script_(scripts.jobs[job.index()]),
      luck_(streams.stream(Purpose::stall, static_cast<std::uint32_t>(job.index()))) {}

Process ReplayJob::play() {
  recorder_.record(job_, history::EventKind::submitted);
  if (strategy::too_large_to_submit(strategy_.transfer, grid_.input_size,
                                    grid_.access_point.max_transfer_input)) {
    recorder_.record(job_, history::EventKind::held, history::Reason::input_too_large);
    co_return;
  }
  if (!script_.started) {
    if (script_.end.kind != history::EventKind::submitted)
      recorder_.record(job_, script_.end.kind, script_.end.reason);
    co_return;
  }
  bool through = false;
  if (strategy_.transfer.protocol == scenario::Protocol::http) {
    through = co_await fetch_by_http();
  } else if (decides_as_recorded(strategy_)) {
    through = co_await fail_as_recorded();
  } else {
    through = co_await fail_anew();
  }
  if (!through) co_return;
  ScriptedEnd const* end = &script_.end;
  if (moved_) {
    if (auto const* donor = scripts_.donor(end->site, luck_)) end = donor;
  }
  bool released = co_await run_to_end(*end);
  if (!released) co_return;
  // Past a 404 that the record ends with: how such a job goes on is another job's story.
  if (auto const* donor = scripts_.donor(Id<history::Site>(), luck_)) {
    start_attempt(donor->site);
    co_await run_to_end(*donor);
  }
}

void ReplayJob::start_attempt(Id<history::Site> site) {
  slot_.site = site;
  recorder_.record(job_, history::EventKind::matched, slot_);
  recorder_.record(job_, history::EventKind::transfer_input_started, slot_);
}

Step<bool> ReplayJob::fail_as_recorded() {
  for (ScriptedAttempt const& attempt : script_.failures) {
    start_attempt(attempt.site);
    co_await clock_.sleep(attempt.cost);
    recorder_.record(job_, attempt.failed_by, slot_, attempt.reason, true, attempt.executed);
    if (attempt.failed_by == history::EventKind::held) {
      recorder_.record(job_, history::EventKind::released, history::Reason::manual);
    }
  }
  start_attempt(script_.end.site);
  co_return true;
}

Step<bool> ReplayJob::fail_anew() {
  Seconds retried;
  int failures = 0;
  Id<history::Site> site = script_.end.site;
  for (ScriptedAttempt const& attempt : script_.failures) {
    if (attempt.failed_by == history::EventKind::evicted) {
      start_attempt(attempt.site);
      co_await clock_.sleep(attempt.cost);
      recorder_.record(job_, history::EventKind::evicted, slot_, attempt.reason, true,
                       attempt.executed);
      continue;
    }
    retried += attempt.cost;
    recorded_holds_ += attempt.failed_by == history::EventKind::held;
    if (++failures == 1) site = attempt.site;
  }
  Seconds const cost = failures > 0 ? retried / failures : Seconds();
  scenario::TransferStrategy const recorded;
  beyond_timeout_ = std::max(Seconds(), cost - strategy::stall_noticed_after(recorded, 0.5));
  Seconds const start = clock_.now();
  BadTime bad(draw_.stall, failures, cost,
              streams_.stream(Purpose::overload, static_cast<std::uint32_t>(job_.index())));
  bad.start_at(start);
  while (true) {
    start_attempt(moved_ ? slot_.site : site);
    if (!co_await attempt_stalls(bad)) break;
    history::Reason const reason = strategy_.transfer.on_stall == scenario::OnStall::requeue
                                       ? history::Reason::transfer_stalled
                                       : history::Reason::transfer_failed;
    if (co_await after_failure(bad, reason) == After::give_up) co_return false;
  }
  if (!moved_) slot_.site = script_.end.site;
  co_return true;
}

// Asks one cache after the other, as the strategy says; true if all of them failed.
Step<bool> ReplayJob::attempt_stalls(BadTime& bad) {
  constexpr std::size_t offered = 3;
  std::size_t const tries = strategy::caches_to_ask(strategy_.transfer, offered);
  for (std::size_t i = 0; i < tries; ++i) {
    if (i > 0) bad.another_cache(clock_.now());
    if (!bad.bad(clock_.now())) co_return false;
    co_await clock_.sleep(stalled_attempt_cost());
  }
  co_return true;
}

Seconds ReplayJob::stalled_attempt_cost() {
  Seconds const noticed = strategy::stall_noticed_after(strategy_.transfer, luck_.uniform());
  return std::min(beyond_timeout_, strategy::longest_trickle(strategy_.transfer)) + noticed;
}

Step<ReplayJob::After> ReplayJob::after_failure(BadTime& bad, history::Reason reason) {
  using Action = strategy::AfterFailure::Action;
  ++stalls_here_;
  strategy::AfterFailure const next = strategy::after_transfer_failure(
      strategy_.retry,
      {.reason = reason, .cool_downs = cool_downs_, .unlucky = recorded_holds_ > 0},
      streams_.stream(Purpose::strategy, static_cast<std::uint32_t>(job_.index())));
  recorder_.record(job_, history::EventKind::shadow_exception, slot_, reason);
  if (next.action == Action::hold) co_return co_await held(bad, reason);
  if (next.action == Action::cool_down) {
    ++cool_downs_;
    co_await clock_.sleep(next.cool_down);
    bad.another_slot(clock_.now());
  }
  leave_site_if_strategy_says(bad);
  co_return After::try_again;
}

void ReplayJob::leave_site_if_strategy_says(BadTime& bad) {
  if (!strategy::avoids_site(strategy_.match, stalls_here_)) return;
  stalls_here_ = 0;
  bad.another_slot(clock_.now());
  bad.another_cache(clock_.now());
  if (auto const* donor = scripts_.donor(slot_.site, luck_)) {
    moved_ = true;
    slot_.site = donor->site;
  }
}

// A hold that the record has was released by hand, within the recorded time. Others meet policy or
// people.
Step<ReplayJob::After> ReplayJob::held(BadTime& bad, history::Reason reason) {
  recorder_.record(job_, history::EventKind::held, slot_, reason);
  auto const by_policy = strategy::policy_release_after(strategy_.release, reason, policy_releases_,
                                                        grid_.access_point.policy_interval);
  bool const recorded = recorded_holds_ > 0;
  if (recorded) --recorded_holds_;
  bool const by_hand = recorded || luck_.chance(draw_.release_transfer_hold);
  Seconds const hand_delay(recorded ? 0 : draw_.release_delay.sample(luck_));
  if (!by_policy && !by_hand) co_return After::give_up;
  bool const policy_first = by_policy && !(by_hand && hand_delay < *by_policy);
  if (policy_first) ++policy_releases_;
  co_await clock_.sleep(policy_first ? *by_policy : hand_delay);
  recorder_.record(job_, history::EventKind::released,
                   policy_first ? history::Reason::policy : history::Reason::manual);
  bad.another_slot(clock_.now());
  co_return After::try_again;
}

Step<bool> ReplayJob::fetch_by_http() {
  start_attempt(script_.end.site);
  bool const aborts = luck_.chance(draw_.http_abort);
  double const reached = luck_.uniform();
  if (!aborts) {
    // Caches and namespace play no part: a job that the record lost to a 404 gets through as well.
    moved_ = script_.end.reason == history::Reason::not_found;
    co_return true;
  }
  co_await clock_.sleep(script_.end.transfer * reached + curl_patience);
  recorder_.record(job_, history::EventKind::held, slot_, history::Reason::no_progress);
  co_return false;
}

// From the start of the attempt that gets through (already recorded) to the end. Returns true if
// the job was held for a 404 and is released by policy.
Step<bool> ReplayJob::run_to_end(ScriptedEnd const& end) {
  slot_.site = end.site;
  co_await clock_.sleep(end.transfer);
  if (end.transferred) recorder_.record(job_, history::EventKind::transfer_input_finished, slot_);
  if (end.executed) {
    recorder_.record(job_, history::EventKind::executing, slot_);
    co_await clock_.sleep(end.execution);
  }
  if (end.teardown > Seconds()) {
    recorder_.record(job_, history::EventKind::transfer_output_started, slot_);
    co_await clock_.sleep(end.teardown);
  }
  if (end.kind == history::EventKind::submitted) co_return false;
  recorder_.record(job_, end.kind, slot_, end.reason, end.useful);
  if (end.kind != history::EventKind::held || end.reason != history::Reason::not_found)
    co_return false;
  auto const by_policy = strategy::policy_release_after(strategy_.release, end.reason, 0,
                                                        grid_.access_point.policy_interval);
  if (!by_policy) co_return false;
  co_await clock_.sleep(*by_policy);
  recorder_.record(job_, history::EventKind::released, history::Reason::policy);
  co_return true;
}

}  // namespace gridcast::engine
