#include "sim/engine/replay.hpp"

#include <algorithm>
#include <deque>

#include <simgrid/s4u/Engine.hpp>

#include "sim/engine/clock.hpp"
#include "sim/engine/recorder.hpp"
#include "sim/engine/replay_script.hpp"
#include "sim/engine/transfer/outages.hpp"
#include "sim/strategy/decisions.hpp"

namespace gridcast::engine {

namespace {

/// What all jobs of a replay go by.
struct ReplayInput {
  Scripts const& scripts;
  ReplayGrid const& grid;
  scenario::Strategy const& strategy;
  scenario::ParameterDraw const& draw;
  RandomStreams const& streams;
};

/// One recorded job's replay, as a process on SimGrid's clock.
class ReplayJob {
 public:
  ReplayJob(Clock& clock, Recorder& recorder, ReplayInput const& in, Id<history::Job> job)
      : clock_(clock),
        recorder_(recorder),
        in_(in),
        job_(job),
        script_(in.scripts.jobs[job.index()]),
        luck_(in.streams.stream(Purpose::stall, job.number())) {}

  Process play();

 private:
  enum class Input { arrived, given_up };
  enum class Attempted { got_through, stalled };
  enum class After { try_again, give_up };
  enum class Ended { for_good, released };

  Step<void> fail_as_recorded();
  Step<Input> fail_anew();
  Step<Input> fetch_by_http();
  Step<Attempted> attempt(BadTime& bad);
  Step<After> after_failure(BadTime& bad, history::Reason reason);
  Step<After> held(BadTime& bad, history::Reason reason);
  Step<Ended> run_to_end(ScriptedEnd const& end);
  void start_attempt(Id<history::Site> site);
  void leave_site_if_strategy_says(BadTime& bad);
  Seconds stalled_attempt_cost();

  Clock& clock_;
  Recorder& recorder_;
  ReplayInput in_;
  Id<history::Job> job_;
  Script const& script_;
  RandomStream luck_;
  SlotRef slot_;
  Seconds beyond_timeout_;  // of a recorded failure: what the stall timeout does not explain
  int recorded_holds_ = 0;  // not yet met
  int cool_downs_ = 0;
  int policy_releases_ = 0;
  int stalls_here_ = 0;
  bool moved_ = false;  // to a site that the record does not have the job at
};

Process ReplayJob::play() {
  recorder_.record(job_, history::EventKind::submitted);
  if (strategy::too_large_to_submit(in_.strategy.transfer, in_.grid.input_size,
                                    in_.grid.access_point.max_transfer_input)) {
    recorder_.record(job_, history::EventKind::held, history::Reason::input_too_large);
    co_return;
  }
  if (!script_.started) {
    if (script_.end.kind != history::EventKind::submitted)
      recorder_.record(job_, script_.end.kind, script_.end.reason);
    co_return;
  }
  Input input = Input::arrived;
  if (in_.strategy.transfer.protocol == scenario::Protocol::http) {
    input = co_await fetch_by_http();
  } else if (decides_as_recorded(in_.strategy)) {
    co_await fail_as_recorded();
  } else {
    input = co_await fail_anew();
  }
  if (input == Input::given_up) co_return;
  ScriptedEnd const* end = &script_.end;
  if (moved_) {
    if (auto const* other = in_.scripts.success_elsewhere(end->site, luck_)) end = other;
  }
  Ended const ended = co_await run_to_end(*end);
  if (ended == Ended::for_good) co_return;
  // Past a 404 that the record ends with: how such a job goes on is another job's story.
  if (auto const* other = in_.scripts.success_elsewhere(Id<history::Site>(), luck_)) {
    start_attempt(other->site);
    co_await run_to_end(*other);
  }
}

void ReplayJob::start_attempt(Id<history::Site> site) {
  slot_.site = site;
  recorder_.record(job_, history::EventKind::matched, slot_);
  recorder_.record(job_, history::EventKind::transfer_input_started, slot_);
}

Step<void> ReplayJob::fail_as_recorded() {
  for (ScriptedAttempt const& attempt : script_.failures) {
    start_attempt(attempt.site);
    co_await clock_.sleep(attempt.cost);
    recorder_.record(job_, attempt.failed_by, slot_, attempt.reason, true, attempt.executed);
    if (attempt.failed_by == history::EventKind::held) {
      recorder_.record(job_, history::EventKind::released, history::Reason::manual);
    }
  }
  start_attempt(script_.end.site);
}

Step<ReplayJob::Input> ReplayJob::fail_anew() {
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
  beyond_timeout_ = std::max(Seconds(), cost - strategy::stall_noticed_after(recorded, Seconds()));
  Seconds const start = clock_.now();
  BadTime bad(in_.draw.outages, failures, cost,
              in_.streams.stream(Purpose::overload, job_.number()));
  bad.start_at(start);
  while (true) {
    start_attempt(moved_ ? slot_.site : site);
    Attempted const attempted = co_await attempt(bad);
    if (attempted == Attempted::got_through) break;
    history::Reason const reason = in_.strategy.transfer.on_stall == scenario::OnStall::requeue
                                       ? history::Reason::transfer_stalled
                                       : history::Reason::transfer_failed;
    After const after = co_await after_failure(bad, reason);
    if (after == After::give_up) co_return Input::given_up;
  }
  if (!moved_) slot_.site = script_.end.site;
  co_return Input::arrived;
}

// Asks one cache after the other, as the strategy says.
Step<ReplayJob::Attempted> ReplayJob::attempt(BadTime& bad) {
  constexpr std::size_t offered = 3;
  std::size_t const tries = strategy::caches_to_ask(in_.strategy.transfer, offered);
  for (std::size_t i = 0; i < tries; ++i) {
    if (i > 0) bad.another_cache(clock_.now());
    if (!bad.bad(clock_.now())) co_return Attempted::got_through;
    co_await clock_.sleep(stalled_attempt_cost());
  }
  co_return Attempted::stalled;
}

Seconds ReplayJob::stalled_attempt_cost() {
  Seconds const noticed = strategy::stall_noticed_after(in_.strategy.transfer, Seconds());
  return std::min(beyond_timeout_, strategy::longest_slow_transfer(in_.strategy.transfer)) +
         noticed;
}

Step<ReplayJob::After> ReplayJob::after_failure(BadTime& bad, history::Reason reason) {
  using Action = strategy::AfterFailure::Action;
  ++stalls_here_;
  strategy::AfterFailure const next = strategy::after_transfer_failure(
      in_.strategy.retry,
      {.reason = reason, .cool_downs = cool_downs_, .unlucky = recorded_holds_ > 0},
      in_.streams.stream(Purpose::strategy, job_.number()));
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
  if (!strategy::avoids_site(in_.strategy.match, stalls_here_)) return;
  stalls_here_ = 0;
  bad.another_slot(clock_.now());
  bad.another_cache(clock_.now());
  if (auto const* other = in_.scripts.success_elsewhere(slot_.site, luck_)) {
    moved_ = true;
    slot_.site = other->site;
  }
}

// A hold that the record has was released by hand, within the recorded time. Others meet policy or
// people.
Step<ReplayJob::After> ReplayJob::held(BadTime& bad, history::Reason reason) {
  recorder_.record(job_, history::EventKind::held, slot_, reason);
  auto const by_policy = strategy::policy_release_after(
      in_.strategy.release, reason, policy_releases_, in_.grid.access_point.policy_interval);
  bool const recorded = recorded_holds_ > 0;
  if (recorded) --recorded_holds_;
  bool const by_hand = recorded || luck_.chance(in_.draw.release_transfer_hold);
  Seconds const hand_delay(recorded ? 0 : in_.draw.release_delay.sample(luck_));
  if (!by_policy && !by_hand) co_return After::give_up;
  bool const policy_first = by_policy && !(by_hand && hand_delay < *by_policy);
  if (policy_first) ++policy_releases_;
  co_await clock_.sleep(policy_first ? *by_policy : hand_delay);
  recorder_.record(job_, history::EventKind::released,
                   policy_first ? history::Reason::policy : history::Reason::manual);
  bad.another_slot(clock_.now());
  co_return After::try_again;
}

Step<ReplayJob::Input> ReplayJob::fetch_by_http() {
  start_attempt(script_.end.site);
  bool const aborts = luck_.chance(in_.draw.http_abort);
  double const reached = luck_.uniform();
  if (!aborts) {
    // Caches and namespace play no part: a job that the record lost to a 404 gets through as well.
    moved_ = script_.end.reason == history::Reason::not_found;
    co_return Input::arrived;
  }
  co_await clock_.sleep(script_.end.transfer * reached + strategy::curl_patience);
  recorder_.record(job_, history::EventKind::held, slot_, history::Reason::no_progress);
  co_return Input::given_up;
}

// From the start of the attempt that gets through (already recorded) to the end. `released`: the
// job was held for a 404, and policy gives it another chance.
Step<ReplayJob::Ended> ReplayJob::run_to_end(ScriptedEnd const& end) {
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
  if (end.kind == history::EventKind::submitted) co_return Ended::for_good;
  recorder_.record(job_, end.kind, slot_, end.reason, end.useful);
  if (end.kind != history::EventKind::held || end.reason != history::Reason::not_found)
    co_return Ended::for_good;
  auto const by_policy = strategy::policy_release_after(in_.strategy.release, end.reason, 0,
                                                        in_.grid.access_point.policy_interval);
  if (!by_policy) co_return Ended::for_good;
  co_await clock_.sleep(*by_policy);
  recorder_.record(job_, history::EventKind::released, history::Reason::policy);
  co_return Ended::released;
}

}  // namespace

bool decides_as_recorded(scenario::Strategy const& strategy) {
  scenario::TransferStrategy const recorded;
  scenario::TransferStrategy const& transfer = strategy.transfer;
  return transfer.protocol == recorded.protocol &&
         transfer.stall_timeout == recorded.stall_timeout &&
         transfer.check_interval == recorded.check_interval &&
         transfer.on_stall == recorded.on_stall &&
         transfer.stall_timer != scenario::StallTimer::never &&
         (strategy.retry.on_transfer_failure == scenario::OnTransferFailure::requeue ||
          strategy.retry.on_transfer_failure == scenario::OnTransferFailure::recorded) &&
         !strategy.release.transfer_holds_after && strategy.match.avoid_site_after_stalls == 0;
}

Replica replay(history::JobTable const& table, ReplayGrid const& grid,
               scenario::Strategy const& strategy, scenario::ParameterDraw const& draw,
               RandomStreams const& streams) {
  prepare_engine();
  Scripts const scripts = make_scripts(table);
  Replica replica{scripts.names, {}};
  replica.history.dated = false;
  replica.history.retries_opaque = true;
  Clock clock;
  history::HistoryKeeper keeper(replica.history);
  Recorder recorder(clock, keeper);
  ReplayInput const in{scripts, grid, strategy, draw, streams};
  std::deque<ReplayJob> jobs;
  for (std::size_t i = 0; i < scripts.jobs.size(); ++i) {
    jobs.emplace_back(clock, recorder, in, Id<history::Job>(i));
    jobs.back().play();
  }
  simgrid::s4u::Engine::get_instance()->run();
  replica.audit.timers = clock.timers();
  return replica;
}

}  // namespace gridcast::engine
