#include "sim/engine/recorded_events.hpp"

#include <algorithm>
#include <cmath>

namespace gridcast::engine {

namespace {

// Left behind when a job gets another slot, and when its client tries another cache.
bool is_near(scenario::OutageScope scope) {
  return scope == scenario::OutageScope::path || scope == scenario::OutageScope::node;
}
bool of_a_cache(scenario::OutageScope scope) {
  return scope == scenario::OutageScope::path || scope == scenario::OutageScope::cache;
}

// Each with equal probability; null if there is none.
template <class Iterator>
history::RecordedAttempt const* any_of(Iterator first, Iterator last, double u) {
  if (first == last) return nullptr;
  return *(first + static_cast<std::ptrdiff_t>(u * static_cast<double>(last - first)));
}

bool ended_by_plugin(history::Reason reason) {
  using enum history::Reason;
  return history::is_one_of(reason, {transfer_failed, not_found, no_progress, transfer_timeout});
}

bool before(history::RecordedAttempt const* a, history::RecordedAttempt const* b) {
  return a->site.index() < b->site.index();
}

}  // namespace

BadTime::BadTime(scenario::OutageParameters const& draw, Failures const& failures, Seconds start,
                 RandomStream stream)
    : draw_(draw), stream_(stream), until_(start) {
  double const within_last = stream_.uniform();
  until_ += failures.before_last + failures.last * within_last;
}

void BadTime::another_slot(Seconds at) {
  if (is_near(draw_.scope)) draw_again(at);
}

void BadTime::another_cache(Seconds at) {
  if (of_a_cache(draw_.scope)) draw_again(at);
}

// In equilibrium: bad with the long-run share, and then for an exponential time more.
void BadTime::draw_again(Seconds at) {
  bool const bad = stream_.chance(draw_.bad_fraction);
  Seconds const more = draw_.bad_duration * stream_.exponential();
  until_ = bad ? at + more : at;
}

RecordedEvents::RecordedEvents(history::RecordedJobs const& recorded,
                               scenario::Strategy const& strategy, RulesNow const& rules,
                               scenario::ParameterDraw const& draw, RandomStreams const& streams)
    : recorded_(recorded), strategy_(strategy), draw_(draw), streams_(streams), rules_(rules) {
  jobs_.reserve(recorded.jobs.size());
  for (history::RecordedJob const& job : recorded.jobs) {
    jobs_.push_back(
        {&job, streams.stream(Purpose::stall, static_cast<std::uint32_t>(jobs_.size()))});
    if (job.succeeded()) successes_.push_back(&job.attempts.back());
  }
  std::stable_sort(successes_.begin(), successes_.end(), before);
}

history::RecordedAttempt const* RecordedEvents::success_at(Id<history::Site> site,
                                                           RandomStream& stream) const {
  history::RecordedAttempt here;
  here.site = site;
  auto const [first, last] = std::equal_range(successes_.begin(), successes_.end(), &here, before);
  return any_of(first, last, stream.uniform());
}

history::RecordedAttempt const* RecordedEvents::success_elsewhere(Id<history::Site> than,
                                                                  RandomStream& stream) const {
  history::RecordedAttempt here;
  here.site = than;
  auto const [first, last] = std::equal_range(successes_.begin(), successes_.end(), &here, before);
  std::vector<history::RecordedAttempt const*> others(successes_.begin(), first);
  others.insert(others.end(), last, successes_.end());
  auto const& candidates = others.empty() ? successes_ : others;
  return any_of(candidates.begin(), candidates.end(), stream.uniform());
}

bool RecordedEvents::asks_caches() const {
  return strategy_.transfer.protocol == scenario::Protocol::osdf;
}

// Another protocol has another plugin, which nothing is known of.
bool RecordedEvents::meets_the_rules(history::RecordedAttempt const& attempt) const {
  return attempt.in_bad_time ||
         (!asks_caches() && !attempt.transferred && ended_by_plugin(attempt.reason));
}

void RecordedEvents::passed(JobState& state, std::size_t attempt) {
  state.begun = attempt + 1;
  state.ended = state.begun == state.recorded->attempts.size();
}

Seconds RecordedEvents::wait(Id<history::Job> job) const {
  JobState const& state = jobs_[job.index()];
  if (state.ended || state.bad) return recorded_.usual_wait;
  auto const& attempts = state.recorded->attempts;
  return attempts.empty() ? Seconds() : attempts[state.begun].wait;
}

std::optional<strategy::PolicyDecision> RecordedEvents::ends_in_queue(Id<history::Job> job,
                                                                      Seconds now) {
  JobState& state = jobs_[job.index()];
  auto const& attempts = state.recorded->attempts;
  if (state.ended || attempts.empty()) return std::nullopt;
  bool const goes_on = state.bad && now < state.bad->until();
  std::size_t const next = state.bad ? state.next : state.begun;
  history::RecordedAttempt const& end = attempts[next];
  if (goes_on || !end.in_queue) return std::nullopt;
  begin_recorded(state, next);
  bool const held = end.ended_by == history::EventKind::held;
  auto const action = held ? strategy::PolicyAction::hold : strategy::PolicyAction::remove;
  return strategy::PolicyDecision{{}, action, end.reason};
}

Id<history::Site> RecordedEvents::begin_recorded(JobState& state, std::size_t attempt) {
  state.mode = Mode::recorded;
  state.now = &state.recorded->attempts[attempt];
  state.site = state.now->site;
  state.bad.reset();
  passed(state, attempt);
  return state.site;
}

std::optional<Id<history::Site>> RecordedEvents::begin(Id<history::Job> job, Slot slot, Seconds now,
                                                       Accepts const& accepts) {
  JobState& state = jobs_[job.index()];
  auto const& attempts = state.recorded->attempts;
  if (state.ended || attempts.empty()) return begin_beyond(state);
  if (rules_.of_transfers == Rules::as_recorded) return begin_recorded(state, state.begun);
  if (!state.bad) {
    history::RecordedAttempt const& next = attempts[state.begun];
    bool const untouched = !next.transferred && !meets_the_rules(next);
    if (untouched && accepts(next.site)) return begin_recorded(state, state.begun);
    start_bad_time(state, job, now);
  } else if (slot == Slot::another) {
    state.bad->another_slot(now);
  }
  if (!accepts(state.site)) move(state, now);
  return begin_anew(state, now);
}

// Rows contain the total cost of all failures, logs the cost of each of them.
void RecordedEvents::start_bad_time(JobState& state, Id<history::Job> job, Seconds now) {
  auto const& attempts = state.recorded->attempts;
  Seconds retried, waited;
  int failures = 0;
  state.next = state.begun;
  for (; state.next + 1 < attempts.size() && meets_the_rules(attempts[state.next]); ++state.next) {
    history::RecordedAttempt const& failed = attempts[state.next];
    retried += failed.transfer;
    if (failures > 0) waited += failed.wait + failed.lead;
    state.holds += failed.ended_by == history::EventKind::held;
    ++failures;
  }
  state.site = attempts[state.begun].site;
  state.through = false;
  state.carrier = nullptr;
  Seconds const cost = failures > 0 ? retried / failures : Seconds();
  scenario::TransferStrategy const recorded;
  state.bytes_came_for = std::max(Seconds(), cost - strategy::silence_ends(recorded, Seconds()));
  scenario::Protocol const protocol = strategy_.transfer.protocol;
  BadTime::Failures bad;
  if (failures > 0 && strategy::meets(protocol, draw_.outages.scope)) {
    bad.last = recorded_.names.retries_opaque ? cost : attempts[state.next - 1].transfer;
    bad.before_last =
        recorded_.names.retries_opaque ? cost * (failures - 1) : retried - bad.last + waited;
  }
  state.bad.emplace(draw_.outages, bad, now,
                    streams_.stream(Purpose::overload, job.number(), state.bad_times++));
  bool const other_path =
      protocol != scenario::Protocol::osdf && draw_.outages.scope == scenario::OutageScope::path;
  if (other_path) state.bad->another_cache(now);
}

void RecordedEvents::move(JobState& state, Seconds now) {
  state.bad->another_slot(now);
  state.bad->another_cache(now);
  if (auto const* other = success_elsewhere(state.site, state.stream)) {
    state.moved = true;
    state.now = other;
    state.site = other->site;
  }
}

std::optional<Id<history::Site>> RecordedEvents::begin_anew(JobState& state, Seconds now) {
  history::RecordedAttempt const& next = state.recorded->attempts[state.next];
  bool const last = state.next + 1 == state.recorded->attempts.size();
  bool const bad = now < state.bad->until();
  state.mode = Mode::anew;
  if (!state.moved) state.now = &next;
  if (state.through) {
    // Its transfer was ended without a fault; the next try has other random numbers. The later
    // attempts of the record happen nevertheless.
    if (auto const* other = success_at(state.site, state.stream)) {
      state.carrier = other;
      if (last || state.moved) state.now = other;
    }
  } else if (!bad && !state.moved) {
    state.site = next.site;
  }
  state.through = state.through || !bad;
  if (bad || state.now->transferred) return state.site;
  // A failure that only OSDF's namespace reports does not occur with other protocols.
  if (!asks_caches() && next.reason == history::Reason::not_found) return begin_beyond(state);
  return begin_recorded(state, state.next);
}

// A job that the strategy stopped before its recorded end has the same work once more. One that met
// a limit of time, memory or disk, or a rule on running jobs, meets it again.
bool RecordedEvents::needs_the_same_again(history::RecordedAttempt const& last) {
  using enum history::Reason;
  bool const done = last.exits() && last.useful;
  bool const stopped = history::is_one_of(last.reason, {execution_too_long, out_of_resources}) ||
                       (last.reason == policy && last.useful);
  return done || (last.executed && stopped && !last.exits());
}

std::optional<Id<history::Site>> RecordedEvents::begin_beyond(JobState& state) {
  auto const& attempts = state.recorded->attempts;
  using enum history::EventKind;
  bool const unfinished =
      attempts.empty() ||
      history::is_one_of(attempts.back().ended_by,
                         {submitted, shadow_exception, evicted, reconnect_failed, requeued});
  bool const own = !unfinished && !state.moved && needs_the_same_again(attempts.back());
  state.now = unfinished ? nullptr
              : own      ? &attempts.back()
                         : success_elsewhere(Id<history::Site>(), state.stream);
  if (!state.now) return std::nullopt;
  state.mode = Mode::beyond;
  state.site = state.now->site;
  if (!own && fails_again(state, *state.now)) state.now = own_failure(state);
  return state.site;
}

// One of those that the job had: a program that fails again fails as before.
history::RecordedAttempt const* RecordedEvents::own_failure(JobState& state) {
  std::vector<history::RecordedAttempt const*> failures;
  for (history::RecordedAttempt const& attempt : state.recorded->attempts) {
    if (attempt.fails()) failures.push_back(&attempt);
  }
  return any_of(failures.begin(), failures.end(), state.stream.uniform());
}

// With the share b of jobs that crash each time, and the share c of the others' executions that
// crash, a job whose program failed k times is one of the former with the probability
// b / (b + (1 - b) c^k).
bool RecordedEvents::fails_again(JobState& state, history::RecordedAttempt const& success) const {
  auto const k = std::ranges::count_if(state.recorded->attempts, &history::RecordedAttempt::fails);
  if (k == 0) return false;
  double const c = draw_.sites.at(recorded_.names.sites[success.site.index()]).crash;
  double const always = draw_.crash_of_job, by_chance = (1 - always) * std::pow(c, k);
  if (!state.always_crashes)
    state.always_crashes = always > 0 && state.stream.chance(always / (always + by_chance));
  return *state.always_crashes || state.stream.chance(c);
}

bool RecordedEvents::meets_exit_rules(Id<history::Job> job) const {
  JobState const& state = jobs_[job.index()];
  if (state.now->exits()) return true;
  bool const anew = rules_.of_exits == Rules::of_the_strategy || state.mode == Mode::beyond;
  return anew && (state.now->ended_by == history::EventKind::requeued || state.now->held_at_exit());
}

history::RecordedAttempt const* RecordedEvents::transfer(Id<history::Job> job) const {
  JobState const& state = jobs_[job.index()];
  return state.mode == Mode::recorded ? state.now : nullptr;
}

Seconds RecordedEvents::transfer_time(Id<history::Job> job) const {
  JobState const& state = jobs_[job.index()];
  return (state.carrier ? state.carrier : state.now)->transfer;
}

history::RecordedAttempt const* RecordedEvents::arrived(Id<history::Job> job) {
  JobState& state = jobs_[job.index()];
  if (state.mode != Mode::anew || state.now->transferred) return nullptr;
  begin_recorded(state, state.next);
  return state.now;
}

std::optional<Seconds> RecordedEvents::bad_until(Id<history::Job> job, Seconds now) {
  JobState& state = jobs_[job.index()];
  if (state.mode == Mode::anew && now < state.bad->until()) return state.bad->until();
  state.through = true;
  return std::nullopt;
}

void RecordedEvents::another_cache(Id<history::Job> job, Seconds now) {
  JobState& state = jobs_[job.index()];
  if (state.bad) state.bad->another_cache(now);
}

Seconds RecordedEvents::bytes_came_for(Id<history::Job> job) const {
  return jobs_[job.index()].bytes_came_for;
}

// The used part of its own record is over, and of another job's record all of it.
void RecordedEvents::use_up(JobState& state) const {
  if (state.mode == Mode::recorded) return;
  bool const own = state.mode == Mode::anew && state.now == &state.recorded->attempts[state.next];
  if (!own) {
    state.ended = true;
    return;
  }
  passed(state, state.next);
  state.bad.reset();
  // From here all is as recorded, including a hold at its end and the job's release. A row does not
  // show who would have released the job: that is drawn.
  if (!recorded_.names.retries_opaque) state.mode = Mode::recorded;
}

bool RecordedEvents::ends_unexecuted(Id<history::Job> job) {
  JobState& state = jobs_[job.index()];
  if (!state.now->transferred || state.now->executed || state.now->exits()) return false;
  use_up(state);
  return true;
}

history::RecordedAttempt const& RecordedEvents::computing(Id<history::Job> job) {
  JobState& state = jobs_[job.index()];
  use_up(state);
  return *state.now;
}

std::optional<strategy::AfterFailure> RecordedEvents::after_failure(Id<history::Job> job) const {
  using Action = strategy::AfterFailure::Action;
  JobState const& state = jobs_[job.index()];
  if (!decides_release() || state.mode != Mode::recorded) return std::nullopt;
  bool const held = state.now->ended_by == history::EventKind::held;
  return strategy::AfterFailure{held ? Action::hold : Action::requeue, {}};
}

int RecordedEvents::subcode(Id<history::Job> job) const {
  JobState const& state = jobs_[job.index()];
  return state.mode == Mode::recorded ? state.now->subcode : 0;
}

history::HoldCode RecordedEvents::hold_code(Id<history::Job> job, history::Reason reason) const {
  JobState const& state = jobs_[job.index()];
  bool const as_recorded = state.mode == Mode::recorded && state.now &&
                           state.now->ended_by == history::EventKind::held &&
                           state.now->reason == reason && state.now->hold.code != 0;
  return as_recorded ? state.now->hold : history::hold_code(reason);
}

double RecordedEvents::hold(Id<history::Job> job, double drawn) const {
  JobState const& state = jobs_[job.index()];
  if (state.mode == Mode::recorded) return state.now->ended_by == history::EventKind::held ? 1 : 0;
  return state.mode == Mode::anew ? (state.holds > 0 ? 1 : 0) : drawn;
}

// The strategy's own rule decides where a rule of the record did.
strategy::OwnerDecision RecordedEvents::recorded_owner(history::RecordedAttempt const& held) const {
  using Action = strategy::OwnerAction;
  if (held.after_hold_by_rule && rules_.of_releases == Rules::of_the_strategy) return {};
  switch (held.after_hold) {
    case history::AfterHold::released:
      return {Action::release, held.held_for};
    case history::AfterHold::removed:
      return {Action::remove, held.held_for};
    case history::AfterHold::stays:
      break;
  }
  return {};
}

strategy::OwnerDecision RecordedEvents::owner(Id<history::Job> job, history::Reason reason,
                                              strategy::OwnerDecision const& drawn) {
  JobState& state = jobs_[job.index()];
  strategy::OwnerDecision const at_once{strategy::OwnerAction::release, {}};
  bool const as_recorded = state.now && state.mode == Mode::recorded;
  if (as_recorded && state.now->ended_by == history::EventKind::held) {
    return recorded_owner(*state.now);
  }
  bool const met = state.mode == Mode::anew && state.holds > 0 && strategy::retryable(reason);
  if (met) {
    --state.holds;
    return at_once;
  }
  // The record has no release of a job held in the queue.
  return state.now ? drawn : strategy::OwnerDecision{};
}

Step<Waited> pass_as_recorded(Clock& clock, Claim& claim, history::RecordedAttempt const& recorded,
                              history::RecordedStep step,
                              std::function<void(history::EventKind)> report) {
  Seconds const whole = recorded.length_of(step);
  Seconds passed;
  for (history::RecordedMoment const& moment : recorded.during) {
    if (moment.step != step) continue;
    Seconds const at = std::clamp(moment.at, passed, whole);
    if (at > passed) co_await clock.sleep(at - passed, &claim.interrupt());
    if (claim.ended()) co_return Waited::cut_off;
    passed = at;
    report(moment.kind);
  }
  if (whole > passed) co_await clock.sleep(whole - passed, &claim.interrupt());
  co_return claim.ended() ? Waited::cut_off : Waited::done;
}

}  // namespace gridcast::engine
