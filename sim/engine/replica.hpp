// One replica: a campaign on a pool under one draw of the calibrated parameters, one strategy and
// one seed, simulated in SimGrid to its end. The only door into the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"
#include "sim/history/job_history.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::engine {

class RecordedEvents;

/// The input of a replica. All of it outlives the replica.
struct ReplicaInput {
  scenario::Pool const& pool;
  scenario::Campaign const& campaign;
  scenario::Strategy const& strategy;
  scenario::ParameterDraw const& draw;
  RandomStreams const& streams;
  RecordedEvents* record = nullptr;  // in a replay: the recorded events of the jobs
};

/// The draw's parameters of each site of the pool.
std::vector<scenario::SiteParameters const*> parameters_by_site(ReplicaInput const& in);

/// How transfers share links.
enum class NetworkModel {
  automatic,  // fast where no transfer crosses two shared links, else maxmin
  fast,       // one shared bottleneck a transfer, by a virtual clock: exact for equal sharing
  maxmin,     // SimGrid flows
};

struct ReplicaOptions {
  NetworkModel network = NetworkModel::automatic;
  bool shocks = true;  // false: no 404 shocks, no site outages (for fits of other processes)
  bool cache_samples = false;           // report how full caches were (ReplicaAudit::cache_samples)
  std::optional<Seconds> horizon = {};  // jobs that are left then are removed
};

/// Counts of the resources themselves, to be compared with the ledger (conservation).
struct ReplicaAudit {
  Seconds slot_busy;        // sum over slots of claimed time
  Seconds dead_leases;      // claimed in the access point's eyes, but the slot was gone
  Seconds slot_idle;        // unclaimed time of pilots
  Seconds slot_life;        // sum over pilots of their life
  Bytes bytes_delivered;    // to jobs
  Bytes bytes_from_origin;  // cache fills and direct reads
  std::uint64_t cache_hits = 0, cache_misses = 0;
  // The work that any program would have to do; the last are the timers that links set.
  std::uint64_t timers = 0, transfers = 0, link_timers = 0;
  std::vector<history::CacheSample> cache_samples = {};  // in order of time; empty unless requested
};

struct Replica {
  history::JobHistory history;
  ReplicaAudit audit;
};

/// Simulates the campaign to its end: every job done, removed or held for good. Deterministic in
/// its arguments. `watcher`: receives its events as they happen.
Replica simulate(scenario::Pool const& pool, scenario::Campaign const& campaign,
                 scenario::Strategy const& strategy, scenario::ParameterDraw const& draw,
                 RandomStreams const& streams, ReplicaOptions const& options = {},
                 history::HistorySink* watcher = nullptr);

/// The history of a campaign before its first event: the names of its jobs and of the pool's sites.
history::JobHistory unplayed_history(scenario::Pool const& pool,
                                     scenario::Campaign const& campaign);

/// The same replica, sent to `sink` while it happens and not kept. `names`: of its unplayed
/// history.
ReplicaAudit simulate_into(history::HistorySink& sink, std::vector<history::JobName> const& names,
                           scenario::Pool const& pool, scenario::Campaign const& campaign,
                           scenario::Strategy const& strategy, scenario::ParameterDraw const& draw,
                           RandomStreams const& streams, ReplicaOptions const& options = {});

// A replica's history that somebody watches while it is simulated.

/// Keeps the events, and passes them on while they happen. The watcher may be null.
class WatchedKeeper final : public history::HistorySink {
 public:
  WatchedKeeper(history::JobHistory& history, history::HistorySink* watcher)
      : keeper_(history), watcher_(watcher) {}

  void add(history::JobEvent const& event) override {
    keeper_.add(event);
    if (watcher_) watcher_->add(event);
  }
  void add_transfer(history::UrlTransfer const& transfer) override {
    keeper_.add_transfer(transfer);
    if (watcher_) watcher_->add_transfer(transfer);
  }
  void settled(Id<history::Job> job) override {
    if (watcher_) watcher_->settled(job);
  }

 private:
  history::HistoryKeeper keeper_;
  history::HistorySink* watcher_;
};

}  // namespace gridcast::engine
