#include "sim/engine/replica.hpp"

#include <algorithm>

#include <simgrid/s4u/Engine.hpp>

#include "sim/base/error.hpp"
#include "sim/engine/access_point.hpp"
#include "sim/engine/input_transfer.hpp"
#include "sim/engine/negotiator.hpp"
#include "sim/engine/pilot.hpp"
#include "sim/engine/platform.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast {

namespace {

// Jobs are named as condor_submit would: one cluster for each submission, from 1.
JobHistory empty_history(Pool const& pool, Campaign const& campaign) {
  JobHistory history;
  std::uint32_t cluster = 0;
  for (Submission const& submission : campaign.submit) {
    ++cluster;
    for (int proc = 0; proc < submission.jobs; ++proc) {
      history.jobs.push_back({cluster, static_cast<std::uint32_t>(proc)});
    }
  }
  for (SiteSpec const& site : pool.sites) history.sites.push_back(site.name);
  constexpr std::size_t usual_events_a_job = 16;
  history.events.reserve(usual_events_a_job * history.jobs.size());
  return history;
}

ReplicaAudit audit(Pilots const& pilots, InputTransfer const& input, Clock const& clock,
                   Network const& network) {
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
  audit.timers = clock.timers();
  audit.transfers = network.transfers();
  return audit;
}

}  // namespace

Replica simulate(Pool const& pool, Campaign const& campaign, Strategy const& strategy,
                 World const& world, RandomStreams const& streams, ReplicaOptions const& options) {
  prepare_engine();
  Replica replica{empty_history(pool, campaign), {}};
  Clock clock;
  Platform const platform = make_platform(pool, world, strategy.transfer.protocol, options.network);
  Network network(clock, platform.links, platform.routes, platform.maxmin);
  Recorder recorder(clock, replica.history);
  AccessPoint access_point(clock, recorder, pool.access_point, campaign, strategy, world, streams,
                           pool.sites.size());
  Negotiator negotiator(clock, access_point, pool.negotiator,
                        pool.access_point.shadow_start_interval, streams, pool.sites.size());
  InputTransfer input(clock, network, platform, pool, campaign, strategy, world, streams,
                      options.shocks);
  Pilots pilots(clock, recorder, access_point, negotiator, input, pool, campaign, world, streams,
                options.shocks);
  access_point.open([&] { negotiator.wake(); }, [&] { negotiator.close(); });
  for (Id<PoolSite> const site : matching_sites(pool, campaign.request)) {
    SiteSpec const& spec = pool.sites[site.index()];
    pilots.start(Id<Site>(site.index()), std::min(spec.gpus, world.sites.at(spec.name).gpus));
  }
  simgrid::s4u::Engine::get_instance()->run();
  check(access_point.settled() || access_point.idle().size() > 0,
        "a campaign that ends has settled its jobs or left them idle without a slot");
  replica.audit = audit(pilots, input, clock, network);
  return replica;
}

}  // namespace gridcast
