#include "sim/engine/replay.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/statistics.hpp"
#include "sim/engine/access_point.hpp"
#include "sim/engine/attempt.hpp"
#include "sim/engine/network/network.hpp"

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
  luck.bytes_came_for = std::max(Seconds(), cost - strategy::silence_ends(recorded, Seconds()));
  scenario::Protocol const protocol = strategy_.transfer.protocol;
  bool const meets = strategy::meets(protocol, outages_.scope);
  luck.bad.emplace(outages_, meets ? failures : 0, cost, now,
                   streams_.stream(Purpose::overload, job.number()));
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

namespace {

constexpr Seconds no_end = days(36500);
constexpr BytesPerSecond instant(1e15);

/// A grid in which nothing befalls a job but what the record or the outages' draw says.
struct RecordedGrid {
  scenario::Pool pool;
  scenario::Campaign campaign;
  scenario::Strategy strategy;
  scenario::ParameterDraw draw;
};

scenario::Pool pool_of(RecordedJobs const& recorded, ReplayGrid const& grid,
                       scenario::Protocol protocol) {
  constexpr std::size_t caches_offered =
      3;  // what the director's list is good for: Pelican asks three
  scenario::Pool pool;
  pool.access_point = grid.access_point;
  pool.access_point.max_execution = no_end;  // what the campaign's limit did is on record
  pool.access_point.transfer_slots = static_cast<int>(recorded.jobs.size());
  pool.access_point.bandwidth = {};
  if (protocol == scenario::Protocol::osdf) pool.origin = {"origin", instant, instant};
  std::vector<Id<scenario::Cache>> offered;
  for (std::size_t i = 0; i < caches_offered; ++i) {
    pool.caches.push_back({"cache " + std::to_string(i + 1), Bytes(1e18)});
    offered.push_back(Id<scenario::Cache>(i));
  }
  for (std::string const& name : recorded.names.sites) {
    scenario::SiteSpec& site = pool.sites.emplace_back();
    site.name = name;
    site.caches = offered;
  }
  return pool;
}

// While it lasts, congestion leaves a transfer so little of its rate that it takes longer than the
// recorded failures did: by how much is not on record, so it is any share of that rate.
double congested_share(RecordedJobs const& recorded, RandomStream stream) {
  std::vector<double> arrived, failed;
  for (RecordedJob const& job : recorded.jobs) {
    for (RecordedAttempt const& attempt : job.attempts) {
      bool const evicted = attempt.ended_by == history::EventKind::evicted;
      if (!evicted) (attempt.transferred ? arrived : failed).push_back(attempt.transfer.value());
    }
  }
  double const u = stream.uniform();
  if (arrived.empty() || failed.empty()) return u;
  return u * std::min(1.0, median(std::move(arrived)) / median(std::move(failed)));
}

scenario::ParameterDraw draw_of(RecordedJobs const& recorded, Bytes input,
                                scenario::ParameterDraw const& drawn,
                                RandomStreams const& streams) {
  scenario::ParameterDraw draw;
  scenario::SiteParameters site;
  site.stream_limit = input / Seconds(1);
  for (std::string const& name : recorded.names.sites) draw.sites[name] = site;
  draw.outages = drawn.outages;
  draw.outages.pause = 0;
  if (draw.outages.scope == scenario::OutageScope::none) {
    draw.outages.kind = scenario::OutageKind::slow;
    draw.outages.slow_fraction =
        congested_share(recorded, streams.stream(Purpose::stall, 1U << 31));
  }
  draw.http_abort = drawn.http_abort;
  draw.hold_on_failure = drawn.hold_on_failure;
  draw.hold_on_stall = drawn.hold_on_stall;
  draw.release_transfer_hold = drawn.release_transfer_hold;
  draw.release_other_hold = drawn.release_other_hold;
  draw.most_holds = drawn.most_holds;
  draw.release_delay = drawn.release_delay;
  return draw;
}

RecordedGrid grid_of(RecordedJobs const& recorded, ReplayGrid const& grid,
                     scenario::Strategy const& strategy, scenario::ParameterDraw const& drawn,
                     RandomStreams const& streams) {
  Bytes const input = std::max(grid.input_size, Bytes(1));
  RecordedGrid made;
  made.pool = pool_of(recorded, grid, strategy.transfer.protocol);
  made.campaign.submit.push_back({Seconds(), static_cast<int>(recorded.jobs.size())});
  made.campaign.input.push_back({"input", input});
  made.strategy = strategy;
  made.strategy.retry.policy.requirements.reset();
  made.strategy.retry.policy.rank.reset();
  made.draw = draw_of(recorded, input, drawn, streams);
  return made;
}

/// Gives each job that is idle a slot at once, where the record has its next attempt.
class RecordedSlots {
 public:
  RecordedSlots(Clock& clock, AccessPoint& access_point, Attempts& attempts, RecordedLuck& luck)
      : clock_(clock), access_point_(access_point), attempts_(attempts), luck_(luck) {}

  // Not from within: what made the job idle is still going on.
  void wake() {
    if (awake_) return;
    awake_ = true;
    clock_.at(clock_.now(), [this] {
      awake_ = false;
      IndexSet& idle = access_point_.idle();
      for (std::uint32_t const job : std::vector<std::uint32_t>(idle.begin(), idle.end())) {
        idle.erase(job);
        serve(Id<history::Job>(job));
      }
    });
  }

 private:
  Process serve(Id<history::Job> job) {
    if (auto const end = luck_.ends_in_queue(job)) {
      access_point_.act(job, *end);
      co_return;
    }
    auto const slot = access_point_.ad(job).claim_reusable ? RecordedLuck::Slot::the_same
                                                           : RecordedLuck::Slot::another;
    auto const site = luck_.begin(job, slot, clock_.now(), [this, job](Id<history::Site> at) {
      return access_point_.choice().accepts(job, at.index());
    });
    if (!site) co_return;
    Claim claim;
    access_point_.matched(job, claim);
    co_await attempts_.run(job, {*site, 0, 0}, claim);
  }

  Clock& clock_;
  AccessPoint& access_point_;
  Attempts& attempts_;
  RecordedLuck& luck_;
  bool awake_ = false;
};

}  // namespace

Replica replay(history::JobTable const& table, ReplayGrid const& grid,
               scenario::Strategy const& strategy, scenario::ParameterDraw const& draw,
               RandomStreams const& streams) {
  RecordedJobs const recorded = read_attempts(table);
  RecordedGrid const made = grid_of(recorded, grid, strategy, draw, streams);
  RecordedLuck luck(recorded, made.strategy, made.draw.outages, streams);
  ReplicaInput const in{made.pool, made.campaign, made.strategy, made.draw, streams, &luck};
  Replica replica{recorded.names, {}};
  replica.history.dated = false;
  replica.history.retries_opaque = true;
  Clock clock;
  history::HistoryKeeper keeper(replica.history);
  Recorder recorder(clock, keeper);
  AccessPoint access_point(clock, recorder, in, recorded.names.jobs);
  Platform const platform =
      make_platform(in, std::vector<std::uint32_t>(made.pool.sites.size(), 1), NetworkModel::fast);
  Network network(clock, platform.links, platform.routes(), platform.maxmin);
  InputTransfer input(clock, recorder, network, platform, in, {}, false);
  Attempts attempts(clock, recorder, access_point, input, in, false);
  RecordedSlots slots(clock, access_point, attempts, luck);
  access_point.open([&] { slots.wake(); }, [] {});
  clock.run();
  replica.history.transfers.clear();  // a table does not tell URLs apart
  replica.audit.timers = clock.timers();
  return replica;
}

}  // namespace gridcast::engine
