#include "sim/engine/replay.hpp"

#include <algorithm>

#include "sim/base/statistics.hpp"
#include "sim/engine/access_point.hpp"
#include "sim/engine/attempt.hpp"
#include "sim/engine/network/network.hpp"
#include "sim/engine/recorded_luck.hpp"

namespace gridcast::engine {

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
