#include "sim/engine/recorded_luck.hpp"

#include <algorithm>
#include <cmath>

namespace gridcast::engine {

namespace {

// What a job leaves when it gets another slot, and when its client asks another cache.
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
  Seconds const more = draw_.bad_duration * -std::log(stream_.uniform());
  until_ = bad ? at + more : at;
}

RecordedLuck::RecordedLuck(history::RecordedJobs const& recorded,
                           scenario::Strategy const& strategy, Rules rules,
                           scenario::OutageParameters const& outages, RandomStreams const& streams)
    : recorded_(recorded),
      strategy_(strategy),
      outages_(outages),
      streams_(streams),
      as_recorded_(rules == Rules::as_recorded) {
  jobs_.reserve(recorded.jobs.size());
  for (history::RecordedJob const& job : recorded.jobs) {
    jobs_.push_back(
        {&job, streams.stream(Purpose::stall, static_cast<std::uint32_t>(jobs_.size()))});
    if (job.succeeded()) successes_.push_back(&job.attempts.back());
  }
  std::stable_sort(successes_.begin(), successes_.end(), before);
}

history::RecordedAttempt const* RecordedLuck::success_at(Id<history::Site> site,
                                                         RandomStream& stream) const {
  history::RecordedAttempt here;
  here.site = site;
  auto const [first, last] = std::equal_range(successes_.begin(), successes_.end(), &here, before);
  return any_of(first, last, stream.uniform());
}

history::RecordedAttempt const* RecordedLuck::success_elsewhere(Id<history::Site> than,
                                                                RandomStream& stream) const {
  history::RecordedAttempt here;
  here.site = than;
  auto const [first, last] = std::equal_range(successes_.begin(), successes_.end(), &here, before);
  std::vector<history::RecordedAttempt const*> others(successes_.begin(), first);
  others.insert(others.end(), last, successes_.end());
  auto const& candidates = others.empty() ? successes_ : others;
  return any_of(candidates.begin(), candidates.end(), stream.uniform());
}

bool RecordedLuck::asks_caches() const {
  return strategy_.transfer.protocol == scenario::Protocol::osdf;
}

// Another protocol has another plugin, which nothing is known of.
bool RecordedLuck::meets_the_rules(history::RecordedAttempt const& attempt) const {
  return attempt.in_bad_time ||
         (!asks_caches() && !attempt.transferred && ended_by_plugin(attempt.reason));
}

void RecordedLuck::passed(JobLuck& luck, std::size_t attempt) {
  luck.begun = attempt + 1;
  luck.ended = luck.begun == luck.told->attempts.size();
}

Seconds RecordedLuck::wait(Id<history::Job> job) const {
  JobLuck const& luck = jobs_[job.index()];
  if (luck.ended || luck.bad) return recorded_.usual_wait;
  auto const& attempts = luck.told->attempts;
  return attempts.empty() ? Seconds() : attempts[luck.begun].wait;
}

std::optional<strategy::PolicyDecision> RecordedLuck::ends_in_queue(Id<history::Job> job,
                                                                    Seconds now) {
  JobLuck& luck = jobs_[job.index()];
  auto const& attempts = luck.told->attempts;
  if (luck.ended || attempts.empty()) return std::nullopt;
  bool const goes_on = luck.bad && now < luck.bad->until();
  std::size_t const next = luck.bad ? luck.next : luck.begun;
  history::RecordedAttempt const& end = attempts[next];
  if (goes_on || !end.in_queue) return std::nullopt;
  begin_recorded(luck, next);
  bool const held = end.ended_by == history::EventKind::held;
  auto const action = held ? strategy::PolicyAction::hold : strategy::PolicyAction::remove;
  return strategy::PolicyDecision{{}, action, end.reason};
}

Id<history::Site> RecordedLuck::begin_recorded(JobLuck& luck, std::size_t attempt) {
  luck.play = Play::recorded;
  luck.now = &luck.told->attempts[attempt];
  luck.site = luck.now->site;
  luck.bad.reset();
  passed(luck, attempt);
  return luck.site;
}

std::optional<Id<history::Site>> RecordedLuck::begin(Id<history::Job> job, Slot slot, Seconds now,
                                                     Accepts const& accepts) {
  JobLuck& luck = jobs_[job.index()];
  auto const& attempts = luck.told->attempts;
  if (luck.ended || attempts.empty()) return begin_beyond(luck);
  if (as_recorded_) return begin_recorded(luck, luck.begun);
  if (!luck.bad) {
    history::RecordedAttempt const& next = attempts[luck.begun];
    bool const untouched = !next.transferred && !meets_the_rules(next);
    if (untouched && accepts(next.site)) return begin_recorded(luck, luck.begun);
    start_bad_time(luck, job, now);
  } else if (slot == Slot::another) {
    luck.bad->another_slot(now);
  }
  if (!accepts(luck.site)) move(luck, now);
  return begin_anew(luck, now);
}

// Rows tell what all failures cost together, logs each of them.
void RecordedLuck::start_bad_time(JobLuck& luck, Id<history::Job> job, Seconds now) {
  auto const& attempts = luck.told->attempts;
  Seconds retried, waited;
  int failures = 0;
  luck.next = luck.begun;
  for (; luck.next + 1 < attempts.size() && meets_the_rules(attempts[luck.next]); ++luck.next) {
    history::RecordedAttempt const& failed = attempts[luck.next];
    retried += failed.transfer;
    if (failures > 0) waited += failed.wait + failed.lead;
    luck.holds += failed.ended_by == history::EventKind::held;
    ++failures;
  }
  luck.site = attempts[luck.begun].site;
  luck.through = false;
  luck.carrier = nullptr;
  Seconds const cost = failures > 0 ? retried / failures : Seconds();
  scenario::TransferStrategy const recorded;
  luck.bytes_came_for = std::max(Seconds(), cost - strategy::silence_ends(recorded, Seconds()));
  scenario::Protocol const protocol = strategy_.transfer.protocol;
  BadTime::Failures bad;
  if (failures > 0 && strategy::meets(protocol, outages_.scope)) {
    bad.last = recorded_.names.retries_opaque ? cost : attempts[luck.next - 1].transfer;
    bad.before_last =
        recorded_.names.retries_opaque ? cost * (failures - 1) : retried - bad.last + waited;
  }
  luck.bad.emplace(outages_, bad, now,
                   streams_.stream(Purpose::overload, job.number(), luck.bad_times++));
  bool const other_path =
      protocol != scenario::Protocol::osdf && outages_.scope == scenario::OutageScope::path;
  if (other_path) luck.bad->another_cache(now);
}

void RecordedLuck::move(JobLuck& luck, Seconds now) {
  luck.bad->another_slot(now);
  luck.bad->another_cache(now);
  if (auto const* other = success_elsewhere(luck.site, luck.stream)) {
    luck.moved = true;
    luck.now = other;
    luck.site = other->site;
  }
}

std::optional<Id<history::Site>> RecordedLuck::begin_anew(JobLuck& luck, Seconds now) {
  history::RecordedAttempt const& next = luck.told->attempts[luck.next];
  bool const last = luck.next + 1 == luck.told->attempts.size();
  bool const bad = now < luck.bad->until();
  luck.play = Play::anew;
  if (!luck.moved) luck.now = &next;
  if (luck.through) {
    // What ended a transfer that nothing was wrong with; the next try has other luck. What the
    // record has behind it happens nevertheless.
    if (auto const* other = success_at(luck.site, luck.stream)) {
      luck.carrier = other;
      if (last || luck.moved) luck.now = other;
    }
  } else if (!bad && !luck.moved) {
    luck.site = next.site;
  }
  luck.through = luck.through || !bad;
  if (bad || luck.now->transferred) return luck.site;
  // Only what OSDF's namespace answers, it does not answer to others.
  if (!asks_caches() && next.reason == history::Reason::not_found) return begin_beyond(luck);
  return begin_recorded(luck, luck.next);
}

std::optional<Id<history::Site>> RecordedLuck::begin_beyond(JobLuck& luck) {
  auto const& attempts = luck.told->attempts;
  using enum history::EventKind;
  bool const unfinished =
      attempts.empty() ||
      history::is_one_of(attempts.back().ended_by,
                         {submitted, shadow_exception, evicted, reconnect_failed, requeued});
  luck.now = unfinished ? nullptr : success_elsewhere(Id<history::Site>(), luck.stream);
  if (!luck.now) return std::nullopt;
  luck.play = Play::beyond;
  luck.site = luck.now->site;
  return luck.site;
}

history::RecordedAttempt const* RecordedLuck::transfer(Id<history::Job> job) const {
  JobLuck const& luck = jobs_[job.index()];
  return luck.play == Play::recorded ? luck.now : nullptr;
}

Seconds RecordedLuck::transfer_time(Id<history::Job> job) const {
  JobLuck const& luck = jobs_[job.index()];
  return (luck.carrier ? luck.carrier : luck.now)->transfer;
}

history::RecordedAttempt const* RecordedLuck::arrived(Id<history::Job> job) {
  JobLuck& luck = jobs_[job.index()];
  if (luck.play != Play::anew || luck.now->transferred) return nullptr;
  begin_recorded(luck, luck.next);
  return luck.now;
}

std::optional<Seconds> RecordedLuck::bad_until(Id<history::Job> job, Seconds now) {
  JobLuck& luck = jobs_[job.index()];
  if (luck.play == Play::anew && now < luck.bad->until()) return luck.bad->until();
  luck.through = true;
  return std::nullopt;
}

void RecordedLuck::another_cache(Id<history::Job> job, Seconds now) {
  JobLuck& luck = jobs_[job.index()];
  if (luck.bad) luck.bad->another_cache(now);
}

Seconds RecordedLuck::bytes_came_for(Id<history::Job> job) const {
  return jobs_[job.index()].bytes_came_for;
}

// What it had of its own record it has had, and of another job's all there is.
void RecordedLuck::use_up(JobLuck& luck) const {
  if (luck.play == Play::recorded) return;
  bool const own = luck.play == Play::anew && luck.now == &luck.told->attempts[luck.next];
  if (!own) {
    luck.ended = true;
    return;
  }
  passed(luck, luck.next);
  luck.bad.reset();
  // From here all is as recorded, a hold at its end and what became of it too. A row does not tell
  // who would have released the job: that is drawn.
  if (!recorded_.names.retries_opaque) luck.play = Play::recorded;
}

bool RecordedLuck::ends_unexecuted(Id<history::Job> job) {
  JobLuck& luck = jobs_[job.index()];
  if (!luck.now->transferred || luck.now->executed || luck.now->exits()) return false;
  use_up(luck);
  return true;
}

history::RecordedAttempt const& RecordedLuck::computing(Id<history::Job> job) {
  JobLuck& luck = jobs_[job.index()];
  use_up(luck);
  return *luck.now;
}

std::optional<strategy::AfterFailure> RecordedLuck::after_failure(Id<history::Job> job) const {
  using Action = strategy::AfterFailure::Action;
  JobLuck const& luck = jobs_[job.index()];
  if (!as_recorded_ || luck.play != Play::recorded) return std::nullopt;
  bool const held = luck.now->ended_by == history::EventKind::held;
  return strategy::AfterFailure{held ? Action::hold : Action::requeue, {}};
}

int RecordedLuck::subcode(Id<history::Job> job) const {
  JobLuck const& luck = jobs_[job.index()];
  return luck.play == Play::recorded ? luck.now->subcode : 0;
}

double RecordedLuck::hold(Id<history::Job> job, double drawn) const {
  JobLuck const& luck = jobs_[job.index()];
  if (luck.play == Play::recorded) {
    return luck.now->ended_by == history::EventKind::held ? 1 : 0;
  }
  return luck.play == Play::anew ? (luck.holds > 0 ? 1 : 0) : drawn;
}

namespace {

strategy::OwnerDecision recorded_owner(history::RecordedAttempt const& held) {
  using Action = strategy::OwnerAction;
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

}  // namespace

strategy::OwnerDecision RecordedLuck::owner(Id<history::Job> job, history::Reason reason,
                                            strategy::OwnerDecision const& drawn) {
  JobLuck& luck = jobs_[job.index()];
  strategy::OwnerDecision const at_once{strategy::OwnerAction::release, {}};
  bool const as_recorded = luck.now && luck.play == Play::recorded;
  if (as_recorded && luck.now->ended_by == history::EventKind::held) {
    return recorded_owner(*luck.now);
  }
  bool const met = luck.play == Play::anew && luck.holds > 0 && strategy::retryable(reason);
  if (met) {
    --luck.holds;
    return at_once;
  }
  // What is held in the queue, the record has not released.
  return luck.now ? drawn : strategy::OwnerDecision{};
}

Step<Waited> pass_as_recorded(Clock& clock, Claim& claim, history::RecordedAttempt const& told,
                              history::RecordedStep step,
                              std::function<void(history::EventKind)> tell) {
  Seconds const whole = told.length_of(step);
  Seconds passed;
  for (history::RecordedMoment const& moment : told.during) {
    if (moment.step != step) continue;
    Seconds const at = std::clamp(moment.at, passed, whole);
    if (at > passed) co_await clock.sleep(at - passed, &claim.interrupt());
    if (claim.ended()) co_return Waited::cut_off;
    passed = at;
    tell(moment.kind);
  }
  if (whole > passed) co_await clock.sleep(whole - passed, &claim.interrupt());
  co_return claim.ended() ? Waited::cut_off : Waited::done;
}

}  // namespace gridcast::engine
