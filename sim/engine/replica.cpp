#include "sim/engine/replica.hpp"

#include <algorithm>
#include <utility>

#include <simgrid/s4u/Engine.hpp>

#include "sim/base/error.hpp"
#include "sim/engine/access_point.hpp"
#include "sim/engine/dated_pilots.hpp"
#include "sim/engine/input_transfer.hpp"
#include "sim/engine/negotiator.hpp"
#include "sim/engine/pilot.hpp"
#include "sim/engine/platform.hpp"
#include "sim/engine/training_runs.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::engine {

namespace {

/// What both kinds of world have.
struct Stage {
  scenario::Pool const& pool;
  scenario::Campaign const& campaign;
  scenario::Strategy const& strategy;
  scenario::ParameterDraw const& draw;
  RandomStreams const& streams;
  Clock& clock;
  Recorder& recorder;
  AccessPoint& access_point;
  Negotiator& negotiator;
};

void run() { simgrid::s4u::Engine::get_instance()->run(); }

ReplicaAudit audit(Pilots const& pilots, InputTransfer const& input, Network const& network) {
  ReplicaAudit audit;
  audit.slot_busy = pilots.busy();
  audit.slot_life = pilots.life();
  audit.slot_idle = pilots.life() - pilots.busy();
  audit.bytes_delivered = input.delivered();
  audit.bytes_from_origin = input.direct();
  for (OsdfCache const& cache : input.caches()) {
    audit.bytes_from_origin += cache.fetched();
    audit.cache_hits += cache.hits();
    audit.cache_misses += cache.misses();
  }
  audit.transfers = network.transfers();
  audit.link_timers = network.link_timers();
  return audit;
}

ReplicaAudit play_table_draw(Stage const& on, ReplicaOptions const& options) {
  Platform const platform =
      make_platform(on.pool, on.draw, on.strategy.transfer.protocol, options.network);
  Network network(on.clock, platform.links, platform.routes, platform.maxmin);
  std::optional<training::CampaignTraining> training;
  if (on.campaign.work.catalogue) {
    training = training::campaign_training(on.pool, on.campaign, on.strategy, &on.draw);
  }
  bool const streams = training && training->streams;
  InputTransfer input(on.clock, network, platform, on.pool,
                      streams ? training->dataset : on.campaign.input_size(), on.strategy, on.draw,
                      on.streams, options.shocks);
  ResourceTrace trace;
  if (options.trace) input.trace_to(trace);
  Pilots pilots(on.clock, on.recorder, on.access_point, on.negotiator, input, on.pool, on.campaign,
                on.strategy, on.draw, on.streams, options.shocks);
  std::optional<TrainingRuns> runs;
  if (training) {
    runs.emplace(on.clock, on.recorder, on.access_point, input, *training, on.streams,
                 options.steps);
    pilots.train(*runs);
  }
  std::vector<history::CacheSample> samples;
  if (options.cache_samples) input.watch_caches(samples);
  on.access_point.open([&] { on.negotiator.wake(); }, [&] { on.negotiator.close(); });
  for (Id<scenario::PoolSite> const site : scenario::matching_sites(on.pool, on.campaign.request)) {
    scenario::SiteSpec const& spec = on.pool.sites[site.index()];
    int const gpus = std::min(spec.gpus, on.draw.sites.at(spec.name).gpus);
    pilots.start(Id<history::Site>(site.index()),
                 scenario::slots_of_gpus(spec, on.campaign.request, gpus));
  }
  run();
  input.finish_trace();
  ReplicaAudit counted = audit(pilots, input, network);
  counted.cache_samples = std::move(samples);
  counted.resources = std::move(trace);
  return counted;
}

int slots_of(scenario::SiteSpec const& spec, scenario::Request const& request,
             scenario::EventLogParameters const& draw) {
  int const calibrated = draw.sites.at(spec.name).slots;
  int const offered =
      spec.slots > 0 ? spec.slots : scenario::slots_of_gpus(spec, request, spec.gpus);
  return offered > 0 ? std::min(offered, calibrated) : calibrated;
}

ReplicaAudit play_event_log_draw(Stage const& on) {
  DatedAttempts attempts(on.clock, on.recorder, on.access_point, on.pool, on.campaign, on.strategy,
                         on.draw, on.streams);
  DatedPilots pilots(on.clock, on.access_point, on.negotiator, attempts, *on.draw.event_log,
                     on.streams);
  on.access_point.open([&] { on.negotiator.wake(); },
                       [&] {
                         pilots.close();
                         on.negotiator.close();
                       });
  for (Id<scenario::PoolSite> const site : scenario::matching_sites(on.pool, on.campaign.request)) {
    scenario::SiteSpec const& spec = on.pool.sites[site.index()];
    pilots.start(Id<history::Site>(site.index()), spec,
                 slots_of(spec, on.campaign.request, *on.draw.event_log));
  }
  run();
  ReplicaAudit audit;
  audit.slot_busy = pilots.busy();
  audit.slot_life = pilots.life();
  audit.slot_idle = pilots.life() - pilots.busy();
  audit.dead_leases = on.access_point.dead_leases();
  audit.bytes_delivered = attempts.delivered();
  return audit;
}

/// Keeps the history, and tells it to somebody else if there is one.
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

void sort_transfers(history::JobHistory& history, scenario::Campaign const& campaign) {
  if (history.transfers.empty()) return;
  for (scenario::InputFile const& file : campaign.input) history.urls.push_back(file.url);
  // Each job's own are in order.
  std::stable_sort(history.transfers.begin(), history.transfers.end(),
                   [](auto const& a, auto const& b) { return a.job < b.job; });
}

}  // namespace

// Jobs are named as condor_submit would: one cluster for each submission, from 1.
history::JobHistory unplayed_history(scenario::Pool const& pool,
                                     scenario::Campaign const& campaign) {
  history::JobHistory history;
  history.jobs.reserve(static_cast<std::size_t>(campaign.jobs()));
  std::uint32_t cluster = 0;
  for (scenario::Submission const& submission : campaign.submit) {
    ++cluster;
    for (int proc = 0; proc < submission.jobs; ++proc) {
      history.jobs.push_back({cluster, static_cast<std::uint32_t>(proc)});
    }
  }
  for (scenario::SiteSpec const& site : pool.sites) history.sites.push_back(site.name);
  history.gpus_per_job = std::max(1, campaign.request.gpus);
  history.users = users_by_job(campaign);
  return history;
}

ReplicaAudit simulate_into(history::HistorySink& sink, std::vector<history::JobName> const& names,
                           scenario::Pool const& pool, scenario::Campaign const& campaign,
                           scenario::Strategy const& strategy, scenario::ParameterDraw const& draw,
                           RandomStreams const& streams, ReplicaOptions const& options) {
  prepare_engine();
  Clock clock;
  Recorder recorder(clock, sink);
  AccessPoint access_point(clock, recorder, pool, campaign, strategy, draw, streams, names);
  Negotiator negotiator(clock, access_point, pool.negotiator,
                        pool.access_point.shadow_start_interval, draw, streams, pool.sites.size());
  Stage const stage{pool,  campaign, strategy,     draw,      streams,
                    clock, recorder, access_point, negotiator};
  ReplicaAudit audit =
      draw.event_log ? play_event_log_draw(stage) : play_table_draw(stage, options);
  audit.timers = clock.timers();
  check(access_point.settled() || access_point.idle().size() > 0,
        "a campaign that ends has settled its jobs or left them idle without a slot");
  return audit;
}

Replica simulate(scenario::Pool const& pool, scenario::Campaign const& campaign,
                 scenario::Strategy const& strategy, scenario::ParameterDraw const& draw,
                 RandomStreams const& streams, ReplicaOptions const& options,
                 history::HistorySink* watcher) {
  Replica replica{unplayed_history(pool, campaign), {}};
  constexpr std::size_t usual_events_a_job = 16;
  replica.history.events.reserve(usual_events_a_job * replica.history.jobs.size());
  WatchedKeeper keeper(replica.history, watcher);
  replica.audit =
      simulate_into(keeper, replica.history.jobs, pool, campaign, strategy, draw, streams, options);
  sort_transfers(replica.history, campaign);
  return replica;
}

}  // namespace gridcast::engine
