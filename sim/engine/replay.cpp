#include "sim/engine/replay.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/engine/access_point.hpp"
#include "sim/engine/attempt.hpp"
#include "sim/engine/network/network.hpp"
#include "sim/engine/network/pool_network.hpp"
#include "sim/engine/other_rules.hpp"
#include "sim/engine/recorded_events.hpp"

namespace gridcast::engine {

bool decides_as_recorded(scenario::Strategy const& strategy, scenario::Strategy const& recorded) {
  scenario::Strategy renamed = strategy;
  renamed.name = recorded.name;
  return renamed == recorded;
}
namespace {

using history::RecordedAttempt;
using history::RecordedJob;
using history::RecordedJobs;

/// Which attempts are in slots that are avoided.
class Avoided {
 public:
  Avoided(RecordedJobs const& recorded, AvoidedSlots const& slots)
      : hosts_(1, false), sites_(among(recorded.names.sites, slots.sites)) {
    auto const named = among(recorded.hosts, slots.hosts);
    hosts_.insert(hosts_.end(), named.begin(), named.end());
  }

  bool operator()(RecordedAttempt const& attempt) const {
    bool const at_site = attempt.site.valid() && sites_[attempt.site.index()];
    return !attempt.in_queue && (hosts_[attempt.host] || at_site);
  }

 private:
  static std::vector<bool> among(std::vector<std::string> const& all,
                                 std::vector<std::string> const& avoided) {
    std::vector<bool> are;
    for (std::string const& name : all) are.push_back(is_one_of(name, avoided));
    return are;
  }

  std::vector<bool> hosts_, sites_;  // hosts from 1
};

/// True if the job is over with this attempt.
bool ends_job(RecordedAttempt const& attempt) {
  return RecordedJob{.attempts = {attempt}}.end() != history::RecordedEnd::unfinished;
}

class OtherAttempts {
 public:
  OtherAttempts(RecordedJobs const& recorded, Avoided const& is_avoided) {
    for (RecordedJob const& job : recorded.jobs) {
      for (RecordedAttempt const& attempt : job.attempts) {
        if (!is_avoided(attempt) && !attempt.in_queue && !attempt.open) {
          attempts_.push_back(&attempt);
        }
      }
    }
    any_ends_ = std::any_of(attempts_.begin(), attempts_.end(),
                            [](RecordedAttempt const* each) { return ends_job(*each); });
    if (attempts_.empty()) throw InternalError("a strategy leaves slots to the campaign");
  }

  /// One of them, after this wait in the queue.
  RecordedAttempt draw(Seconds wait, RandomStream& stream) const {
    RecordedAttempt drawn = *attempts_[stream.below(static_cast<std::uint32_t>(attempts_.size()))];
    drawn.wait = wait;
    return drawn;
  }

  /// True if further attempts can end a job.
  bool any_ends() const { return any_ends_; }

 private:
  std::vector<RecordedAttempt const*> attempts_;
  bool any_ends_ = false;
};

RecordedJob elsewhere(RecordedJob const& job, Avoided const& is_avoided,
                      OtherAttempts const& others, Seconds usual_wait, RandomStream& stream) {
  RecordedJob next = job;
  next.attempts.clear();
  bool changed = false;
  for (RecordedAttempt const& attempt : job.attempts) {
    bool const moves = is_avoided(attempt);
    next.attempts.push_back(moves ? others.draw(attempt.wait, stream) : attempt);
    changed = changed || moves;
    if (moves && ends_job(next.attempts.back())) return next;
  }
  // A job whose last attempt stays has the end that is recorded, or none.
  bool const ended = job.attempts.empty() || ends_job(next.attempts.back());
  bool const last_moved = !job.attempts.empty() && is_avoided(job.attempts.back());
  if (ended || !last_moved || !others.any_ends()) return next;
  while (!ends_job(next.attempts.back())) next.attempts.push_back(others.draw(usual_wait, stream));
  return next;
}

constexpr Seconds no_end = days(36500);
constexpr BytesPerSecond instant(1e15);

/// A grid in which only the record and the outages' draw affect a job.
struct RecordedGrid {
  scenario::Pool pool;
  scenario::Campaign campaign;
  scenario::Strategy strategy;
  scenario::ParameterDraw draw;
};

scenario::Pool pool_of(history::RecordedJobs const& recorded, ReplayGrid const& grid,
                       scenario::Protocol protocol) {
  constexpr std::size_t caches_offered =
      3;  // the useful part of the director's list: Pelican tries three
  scenario::Pool pool;
  pool.access_point = grid.access_point;
  pool.access_point.max_execution = no_end;  // the effect of the campaign's limit is on record
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
double congested_share(history::RecordedJobs const& recorded, RandomStream stream) {
  std::vector<double> arrived, failed;
  for (history::RecordedJob const& job : recorded.jobs) {
    for (history::RecordedAttempt const& attempt : job.attempts) {
      using enum history::EventKind;
      bool const lost = history::is_one_of(attempt.ended_by, {evicted, reconnect_failed});
      if (!lost && !attempt.in_queue)
        (attempt.transferred ? arrived : failed).push_back(attempt.transfer.value());
    }
  }
  double const u = stream.uniform();
  if (arrived.empty() || failed.empty()) return u;
  return u * std::min(1.0, median(std::move(arrived)) / median(std::move(failed)));
}

scenario::ParameterDraw draw_of(history::RecordedJobs const& recorded, Bytes input,
                                scenario::ParameterDraw const& drawn,
                                RandomStreams const& streams) {
  scenario::ParameterDraw draw;
  scenario::SiteParameters site;
  site.stream_limit = input / Seconds(1);
  for (std::string const& name : recorded.names.sites) {
    auto const known = drawn.sites.find(name);
    site.crash = known == drawn.sites.end() ? 0 : known->second.crash;
    draw.sites[name] = site;
  }
  draw.crash_of_job = drawn.crash_of_job;
  draw.outages = drawn.outages;
  draw.outages.pause = 0;
  if (draw.outages.scope == scenario::OutageScope::none) {
    draw.outages.kind = scenario::OutageKind::slow;
    draw.outages.slow_fraction =
        congested_share(recorded, streams.stream(Purpose::stall, 1U << 31));
  }
  draw.http_abort = drawn.http_abort;
  static_cast<scenario::HoldParameters&>(draw) = drawn;
  return draw;
}

RecordedGrid grid_of(history::RecordedJobs const& recorded, ReplayGrid const& grid,
                     scenario::Strategy const& strategy, scenario::ParameterDraw const& drawn,
                     RandomStreams const& streams) {
  Bytes const input = std::max(grid.input_size, Bytes(1));
  RecordedGrid made;
  made.pool = pool_of(recorded, grid, strategy.transfer.protocol);
  made.campaign.submit.push_back({Seconds(), static_cast<int>(recorded.jobs.size())});
  made.campaign.input.push_back({"input", input});
  made.strategy = strategy;
  // The effect of the jobs' policy is on record, and of a limit that stays as it was.
  auto& policy = made.strategy.retry.policy;
  if (decides_as_recorded(strategy, grid.recorded)) policy = {};
  bool const same_hold = policy.periodic_hold == grid.recorded.retry.policy.periodic_hold;
  if (same_hold && policy.periodic_hold && policy.periodic_hold->reads_clock())
    policy.periodic_hold.reset();
  policy.requirements.reset();
  policy.rank.reset();
  made.draw = draw_of(recorded, input, drawn, streams);
  return made;
}

/// Gives each idle job a slot: at once, or when one of the supply is free. Jobs whose attempt ended
/// come before jobs that never ran.
class RecordedSlots {
 public:
  /// `supply`: null for a replay, whose jobs do not wait for each other.
  RecordedSlots(Clock& clock, AccessPoint& access_point, Attempts& attempts, RecordedEvents& events,
                history::SlotSupply const* supply)
      : clock_(clock),
        access_point_(access_point),
        attempts_(attempts),
        events_(events),
        supply_(supply) {
    if (!supply_) return;
    for (Seconds const at : supply_->first_free) clock_.at(at, [this] { give_back(); });
  }

  // Not from within: the code that made the job idle is still running.
  void wake() {
    if (awake_) return;
    awake_ = true;
    clock_.at(clock_.now(), [this] {
      awake_ = false;
      IdleJobs& idle = access_point_.idle();
      for (Id<history::Job> const job : idle.all()) {
        idle.erase(job);
        serve(job);
      }
    });
  }

 private:
  Process serve(Id<history::Job> job) {
    JobAd const& ad = access_point_.ad(job);
    auto const holds = ad.holds;
    if (Seconds const wait = events_.wait(job); wait > Seconds()) {
      co_await clock_.sleep(wait);
      // Its own policy has taken it out of the queue meanwhile, perhaps to let it in again.
      if (ad.status != history::JobStatus::idle || ad.holds != holds) co_return;
    }
    if (auto const end = events_.ends_in_queue(job, clock_.now())) {
      access_point_.act(job, *end);
      co_return;
    }
    if (!supply_) {
      run(job);
      co_return;
    }
    (ad.shadow_starts > 0 ? again_ : fresh_).push_back({job, holds});
    dispatch();
  }

  Process run(Id<history::Job> job) {
    auto const slot = access_point_.ad(job).claim_reusable ? RecordedEvents::Slot::the_same
                                                           : RecordedEvents::Slot::another;
    auto const site = events_.begin(job, slot, clock_.now(), [this, job](Id<history::Site> at) {
      return access_point_.choice().accepts(job, at.index());
    });
    if (site) {
      Claim claim;
      access_point_.matched(job, claim);
      co_await attempts_.run(job, {*site, 0, 0}, claim);
    }
    if (!supply_) co_return;
    if (site) co_await clock_.sleep(supply_->pause);
    give_back();
  }

  void give_back() {
    ++free_;
    dispatch();
  }

  void dispatch() {
    while (free_ > 0 && !(again_.empty() && fresh_.empty())) {
      auto& queue = again_.empty() ? fresh_ : again_;
      auto const [job, holds] = queue.front();
      queue.pop_front();
      JobAd const& ad = access_point_.ad(job);
      if (ad.status != history::JobStatus::idle || ad.holds != holds) continue;
      --free_;
      run(job);
    }
  }

  struct Waiting {
    Id<history::Job> job;
    std::uint32_t holds;  // when it began to wait
  };

  Clock& clock_;
  AccessPoint& access_point_;
  Attempts& attempts_;
  RecordedEvents& events_;
  history::SlotSupply const* supply_;
  std::deque<Waiting> again_, fresh_;
  int free_ = 0;
  bool awake_ = false;
};

/// The parts of a replay and its input.
struct ReplayRun {
  history::RecordedJobs const& jobs;
  std::vector<history::JobName> const& names;
  RecordedGrid const& grid;
  RecordedEvents::RulesNow rules;
  history::SlotSupply const* supply = nullptr;
  std::optional<Seconds> horizon = {};
};

ReplicaAudit run_replay(history::HistorySink& sink, ReplayRun const& replayed,
                        RandomStreams const& streams) {
  RecordedGrid const& grid = replayed.grid;
  RecordedEvents events(replayed.jobs, grid.strategy, replayed.rules, grid.draw, streams);
  ReplicaInput const in{grid.pool, grid.campaign, grid.strategy, grid.draw, streams, &events};
  Clock clock;
  Recorder recorder(clock, sink);
  AccessPoint access_point(clock, recorder, in, replayed.names);
  PoolNetwork const pool_network = make_pool_network(
      in, std::vector<std::uint32_t>(grid.pool.sites.size(), 1), NetworkModel::fast);
  Network network(clock, pool_network.plan);
  InputTransfer input(clock, recorder, network, pool_network, in, {}, false);
  Attempts attempts(clock, recorder, access_point, input, in, false);
  RecordedSlots slots(clock, access_point, attempts, events, replayed.supply);
  access_point.open([&] { slots.wake(); }, [] {});
  if (replayed.horizon) access_point.end_at(*replayed.horizon);
  clock.run();
  ReplicaAudit audit;
  audit.timers = clock.timers();
  return audit;
}

/// Sets what acts only beside another setting, where that one is not there, and the limit of
/// transfers at a time: jobs do not meet in a replay.
void forget_without_effect(scenario::Strategy& strategy, scenario::Strategy const& recorded) {
  auto const copy = [&](auto part, auto... members) {
    ((strategy.*part.*members = recorded.*part.*members), ...);
  };
  using scenario::RetryStrategy;
  using scenario::TransferStrategy;
  copy(&scenario::Strategy::transfer, &TransferStrategy::most_at_a_time);
  if (strategy.transfer.on_stall != scenario::OnStall::next_cache) {
    copy(&scenario::Strategy::transfer, &TransferStrategy::client_timeout,
         &TransferStrategy::slow_after, &TransferStrategy::resume);
  }
  if (strategy.retry.on_transfer_failure != scenario::OnTransferFailure::cool_down) {
    copy(&scenario::Strategy::retry, &RetryStrategy::delay_min, &RetryStrategy::delay_max,
         &RetryStrategy::times);
  }
  if (!strategy.release.transfer_holds_after) {
    copy(&scenario::Strategy::release, &scenario::ReleaseStrategy::times);
  }
}

/// True if transfers, and holds after them, happen as recorded: the strategies differ in rules that
/// act on programs, limits or the queue alone.
bool transfers_as_recorded(scenario::Strategy strategy, scenario::Strategy const& recorded) {
  forget_without_effect(strategy, recorded);
  strategy.submit = recorded.submit;
  strategy.match.avoid_hosts = recorded.match.avoid_hosts;
  scenario::JobPolicy const policy = strategy.retry.policy;
  strategy.retry.policy = recorded.retry.policy;
  strategy.retry.policy.periodic_release = policy.periodic_release;
  strategy.retry.policy.plugin_lifetime = policy.plugin_lifetime;
  return decides_as_recorded(strategy, recorded);
}

/// `transfers_stay`: they happen as recorded.
RecordedEvents::RulesNow rules_of(scenario::Strategy const& strategy, ReplayGrid const& grid,
                                  bool transfers_stay) {
  auto const by = [](bool same) {
    return same ? RecordedEvents::Rules::as_recorded : RecordedEvents::Rules::of_the_strategy;
  };
  scenario::JobPolicy const &now = strategy.retry.policy, &recorded = grid.recorded.retry.policy;
  bool const releases_stay = now.periodic_release == recorded.periodic_release &&
                             now.periodic_remove == recorded.periodic_remove;
  return {by(transfers_stay), by(same_exit_rules(now, recorded)), by(releases_stay)};
}

/// Passes events on, without transfers: all URLs of a job are simulated as one.
class WithoutTransfers final : public history::HistorySink {
 public:
  explicit WithoutTransfers(history::HistorySink& sink) : sink_(sink) {}

  void add(history::JobEvent const& event) override { sink_.add(event); }
  void settled(Id<history::Job> job) override { sink_.settled(job); }

 private:
  history::HistorySink& sink_;
};

}  // namespace

bool leaves_slots(RecordedJobs const& recorded, AvoidedSlots const& avoided) {
  Avoided const is_avoided(recorded, avoided);
  return std::ranges::any_of(recorded.jobs, [&](RecordedJob const& job) {
    return std::ranges::any_of(job.attempts, [&](RecordedAttempt const& attempt) {
      return !attempt.in_queue && !attempt.open && !is_avoided(attempt);
    });
  });
}

RecordedJobs without_slots(RecordedJobs const& recorded, AvoidedSlots const& avoided,
                           RandomStream stream) {
  Avoided const is_avoided(recorded, avoided);
  OtherAttempts const others(recorded, is_avoided);
  RecordedJobs next = recorded;
  for (RecordedJob& job : next.jobs) {
    job = elsewhere(job, is_avoided, others, recorded.usual_wait, stream);
  }
  return next;
}

history::SlotSupply supply_without_slots(history::RecordedCampaign const& recorded,
                                         AvoidedSlots const& avoided) {
  Avoided const is_avoided(recorded.jobs, avoided);
  RecordedJobs others = recorded.jobs;
  for (RecordedJob& job : others.jobs) {
    // An attempt without a slot takes its time, and is in no claim.
    for (RecordedAttempt& attempt : job.attempts) {
      if (is_avoided(attempt)) attempt.in_queue = true;
    }
  }
  return {history::first_free_slots(others), recorded.slots.pause};
}

Replica replay(history::JobHistory const& record, ReplayGrid const& grid,
               scenario::Strategy const& strategy, scenario::ParameterDraw const& draw,
               RandomStreams const& streams) {
  history::RecordedJobs const recorded = under_other_rules(
      history::read_attempts(record), grid.recorded.retry.policy, strategy.retry.policy, streams);
  RecordedGrid const made = grid_of(recorded, grid, strategy, draw, streams);
  Replica replica{recorded.names, {}};
  history::HistoryKeeper keeper(replica.history);
  WithoutTransfers sink(keeper);
  auto const rules = rules_of(strategy, grid, decides_as_recorded(strategy, grid.recorded));
  replica.audit = run_replay(sink, {recorded, recorded.names.jobs, made, rules}, streams);
  return replica;
}

ReplicaAudit replay_next(history::HistorySink& sink, NextCampaign const& next,
                         ReplayGrid const& grid, scenario::Strategy const& strategy,
                         scenario::ParameterDraw const& draw, RandomStreams const& streams) {
  RecordedGrid made = grid_of(next.jobs, grid, strategy, draw, streams);
  scenario::Campaign campaign = next.campaign;
  campaign.input = std::move(made.campaign.input);
  made.campaign = std::move(campaign);
  WithoutTransfers events(sink);
  auto const rules = rules_of(strategy, grid, transfers_as_recorded(strategy, grid.recorded));
  return run_replay(events, {next.jobs, next.names, made, rules, &next.slots, next.horizon},
                    streams);
}

}  // namespace gridcast::engine
