#include "sim/engine/recorded_luck.hpp"

#include <algorithm>
#include <cmath>

namespace gridcast::engine {
namespace {

// The table's own history already shares the retried time out and orders the failures: read it off.
class AttemptReader {
 public:
  explicit AttemptReader(RecordedJob& job) : job_(job) {}

  void add(history::JobEvent const& event) {
    switch (event.kind) {
      case history::EventKind::matched:
        job_.attempts.emplace_back().site = event.site;
        start_ = event.at;
        break;
      case history::EventKind::transfer_input_finished:
        job_.attempts.back().transferred = true;
        job_.attempts.back().transfer = event.at - start_;
        start_ = event.at;
        break;
      case history::EventKind::executing:
        job_.attempts.back().transferred = job_.attempts.back().executed = true;
        start_ = event.at;
        break;
      case history::EventKind::transfer_output_started:
        job_.attempts.back().execution = event.at - start_;
        start_ = event.at;
        in_teardown_ = true;
        break;
      case history::EventKind::evicted:
      case history::EventKind::shadow_exception:
      case history::EventKind::held:
      case history::EventKind::terminated:
      case history::EventKind::aborted:
        close(event);
        break;
      case history::EventKind::released:
        if (!job_.attempts.empty()) job_.attempts.back().released = true;
        break;
      default:
        break;
    }
  }

 private:
  void close(history::JobEvent const& event) {
    if (job_.attempts.empty()) {
      job_.ended_by = event.kind;
      job_.reason = event.reason;
      return;
    }
    RecordedAttempt& attempt = job_.attempts.back();
    Seconds& last = in_teardown_          ? attempt.teardown
                    : attempt.executed    ? attempt.execution
                    : attempt.transferred ? attempt.teardown
                                          : attempt.transfer;
    last = event.at - start_;
    attempt.computed = event.executed;
    attempt.ended_by = event.kind;
    attempt.reason = event.reason;
    attempt.useful = event.useful;
    in_teardown_ = false;
  }

  RecordedJob& job_;
  Seconds start_;
  bool in_teardown_ = false;
};

}  // namespace

RecordedJobs read_attempts(history::JobTable const& table) {
  history::JobHistory const history = history::to_history(table);
  RecordedJobs recorded;
  recorded.names.jobs = history.jobs;
  recorded.names.sites = history.sites;
  bool nowhere = false;
  for (auto const& events : history::events_by_job(history)) {
    RecordedJob& job = recorded.jobs.emplace_back();
    AttemptReader reader(job);
    for (std::uint32_t const event : events) reader.add(history.events[event]);
    for (RecordedAttempt& attempt : job.attempts) {
      if (attempt.site.valid()) continue;
      attempt.site = Id<history::Site>(history.sites.size());
      nowhere = true;
    }
  }
  if (nowhere) recorded.names.sites.push_back("site not recorded");
  return recorded;
}

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
RecordedAttempt const* any_of(Iterator first, Iterator last, double u) {
  if (first == last) return nullptr;
  return *(first + static_cast<std::ptrdiff_t>(u * static_cast<double>(last - first)));
}

bool before(RecordedAttempt const* a, RecordedAttempt const* b) {
  return a->site.index() < b->site.index();
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

BadTime::BadTime(scenario::OutageParameters const& draw, int failures, Seconds cost, Seconds start,
                 RandomStream stream)
    : draw_(draw), stream_(stream), until_(start) {
  double const within_last = stream_.uniform();
  if (failures > 0) until_ += cost * (failures - 1 + within_last);
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

RecordedLuck::RecordedLuck(RecordedJobs const& recorded, scenario::Strategy const& strategy,
                           scenario::OutageParameters const& outages, RandomStreams const& streams)
    : strategy_(strategy),
      outages_(outages),
      streams_(streams),
      as_recorded_(decides_as_recorded(strategy)) {
  jobs_.reserve(recorded.jobs.size());
  for (RecordedJob const& job : recorded.jobs) {
    jobs_.push_back(
        {&job, streams.stream(Purpose::stall, static_cast<std::uint32_t>(jobs_.size()))});
    if (job.succeeded()) successes_.push_back(&job.attempts.back());
  }
  std::stable_sort(successes_.begin(), successes_.end(), before);
}

RecordedAttempt const* RecordedLuck::success_at(Id<history::Site> site,
                                                RandomStream& stream) const {
  RecordedAttempt here;
  here.site = site;
  auto const [first, last] = std::equal_range(successes_.begin(), successes_.end(), &here, before);
  return any_of(first, last, stream.uniform());
}

RecordedAttempt const* RecordedLuck::success_elsewhere(Id<history::Site> than,
                                                       RandomStream& stream) const {
  RecordedAttempt here;
  here.site = than;
  auto const [first, last] = std::equal_range(successes_.begin(), successes_.end(), &here, before);
  std::vector<RecordedAttempt const*> others(successes_.begin(), first);
  others.insert(others.end(), last, successes_.end());
  auto const& candidates = others.empty() ? successes_ : others;
  return any_of(candidates.begin(), candidates.end(), stream.uniform());
}

std::optional<strategy::PolicyDecision> RecordedLuck::ends_in_queue(Id<history::Job> job) {
  JobLuck& luck = jobs_[job.index()];
  RecordedJob const& told = *luck.told;
  if (luck.ended || !told.attempts.empty() || told.ended_by == history::EventKind::submitted) {
    return std::nullopt;
  }
  luck.ended = true;
  bool const held = told.ended_by == history::EventKind::held;
  auto const action = held ? strategy::PolicyAction::hold : strategy::PolicyAction::remove;
  return strategy::PolicyDecision{{}, action, told.reason};
}

// Evictions lead a row's attempts (sim/history/job_table_history.cpp).
bool RecordedLuck::recorded_next(JobLuck const& luck) const {
  auto const& attempts = luck.told->attempts;
  if (luck.ended || luck.begun >= attempts.size()) return false;
  return as_recorded_ || attempts[luck.begun].ended_by == history::EventKind::evicted;
}

std::optional<Id<history::Site>> RecordedLuck::begin(Id<history::Job> job, Slot slot, Seconds now,
                                                     Accepts const& accepts) {
  JobLuck& luck = jobs_[job.index()];
  auto const& attempts = luck.told->attempts;
  if (recorded_next(luck)) {
    luck.play = Play::recorded;
    luck.now = &attempts[luck.begun++];
    luck.ended = luck.begun == attempts.size();
    luck.site = luck.now->site;
    return luck.site;
  }
  if (luck.ended || attempts.empty()) return begin_beyond(luck);
  if (!luck.bad) {
    start_bad_time(luck, job, now);
  } else if (slot == Slot::another) {
    luck.bad->another_slot(now);
  }
  if (!accepts(luck.site)) move(luck, now);
  return begin_anew(luck, now);
}

void RecordedLuck::start_bad_time(JobLuck& luck, Id<history::Job> job, Seconds now) {
  auto const& attempts = luck.told->attempts;
  Seconds retried;
  int failures = 0;
  for (std::size_t i = luck.begun; i + 1 < attempts.size(); ++i) {
    retried += attempts[i].transfer;
    luck.holds += attempts[i].ended_by == history::EventKind::held;
    ++failures;
  }
  luck.site = attempts[luck.begun].site;
  Seconds const cost = failures > 0 ? retried / failures : Seconds();
  scenario::TransferStrategy const recorded;
  luck.bytes_came_for =
      std::max(Seconds(), cost - strategy::stall_noticed_after(recorded, Seconds()));
  bool const asks_caches = strategy_.transfer.protocol == scenario::Protocol::osdf;
  luck.bad.emplace(outages_, asks_caches ? failures : 0, cost, now,
                   streams_.stream(Purpose::overload, job.number()));
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
  RecordedAttempt const& last = luck.told->attempts.back();
  bool const bad = now < luck.bad->until();
  luck.play = Play::anew;
  if (!luck.moved) luck.now = &last;
  if (luck.through) {
    // What ended a transfer that nothing was wrong with; the next try has other luck.
    if (auto const* other = success_at(luck.site, luck.stream)) luck.now = other;
  } else if (!bad && !luck.moved) {
    luck.site = last.site;
  }
  luck.through = luck.through || !bad;
  if (bad || luck.now->transferred) return luck.site;
  // Only what OSDF's namespace answers, it does not answer to others.
  bool const asks_caches = strategy_.transfer.protocol == scenario::Protocol::osdf;
  if (!asks_caches && last.reason == history::Reason::not_found) return begin_beyond(luck);
  luck.play = Play::recorded;
  luck.ended = true;
  return luck.site;
}

std::optional<Id<history::Site>> RecordedLuck::begin_beyond(JobLuck& luck) {
  auto const& attempts = luck.told->attempts;
  history::EventKind const end = attempts.empty() ? luck.told->ended_by : attempts.back().ended_by;
  bool const unfinished =
      end == history::EventKind::shadow_exception || end == history::EventKind::submitted;
  luck.now = unfinished ? nullptr : success_elsewhere(Id<history::Site>(), luck.stream);
  if (!luck.now) return std::nullopt;
  luck.play = Play::beyond;
  luck.site = luck.now->site;
  return luck.site;
}

RecordedAttempt const* RecordedLuck::transfer(Id<history::Job> job) const {
  JobLuck const& luck = jobs_[job.index()];
  return luck.play == Play::recorded ? luck.now : nullptr;
}

Seconds RecordedLuck::transfer_time(Id<history::Job> job) const {
  return jobs_[job.index()].now->transfer;
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

RecordedAttempt const& RecordedLuck::computing(Id<history::Job> job) {
  JobLuck& luck = jobs_[job.index()];
  if (luck.play != Play::recorded) luck.ended = true;
  return *luck.now;
}

double RecordedLuck::hold(Id<history::Job> job, double drawn) const {
  JobLuck const& luck = jobs_[job.index()];
  if (luck.play == Play::recorded) {
    return luck.now->ended_by == history::EventKind::held ? 1 : 0;
  }
  return luck.play == Play::anew ? (luck.holds > 0 ? 1 : 0) : drawn;
}

strategy::OwnerDecision RecordedLuck::owner(Id<history::Job> job, history::Reason reason,
                                            strategy::OwnerDecision const& drawn) {
  JobLuck& luck = jobs_[job.index()];
  strategy::OwnerDecision const at_once{strategy::OwnerAction::release, {}};
  bool const as_recorded = luck.now && luck.play == Play::recorded;
  if (as_recorded && luck.now->ended_by == history::EventKind::held) {
    return luck.now->released ? at_once : strategy::OwnerDecision{};
  }
  bool const met = luck.play == Play::anew && luck.holds > 0 && strategy::retryable(reason);
  if (met) {
    --luck.holds;
    return at_once;
  }
  // What is held in the queue, the record has not released.
  return luck.now ? drawn : strategy::OwnerDecision{};
}

}  // namespace gridcast::engine
