#include "sim/engine/replica.hpp"

#include <algorithm>

#include "sim/base/error.hpp"
#include "sim/base/interrupt.hpp"
#include "sim/engine/access_point.hpp"
#include "sim/engine/negotiator.hpp"
#include "sim/engine/network/network.hpp"
#include "sim/engine/network/pool_network.hpp"
#include "sim/engine/pilot.hpp"
#include "sim/engine/site_slots.hpp"
#include "sim/engine/training/training_runs.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::engine {

namespace {

void count_slots(ReplicaAudit& audit, SlotTime const& slots) {
  audit.slot_busy = slots.busy;
  audit.slot_life = slots.life;
  audit.slot_idle = slots.life - slots.busy;
}

void count_transfers(ReplicaAudit& audit, InputTransfer const& input, Network const& network) {
  audit.bytes_delivered = input.delivered();
  audit.bytes_from_origin = input.direct();
  for (OsdfCache const& cache : input.caches()) {
    audit.bytes_from_origin += cache.fetched();
    audit.cache_hits += cache.hits();
    audit.cache_misses += cache.misses();
  }
  audit.transfers = network.transfers();
  audit.link_timers = network.link_timers();
}

Seconds first_submission(scenario::Campaign const& campaign) {
  std::optional<Seconds> first;
  for (scenario::Submission const& each : campaign.submit) {
    if (each.after.empty()) first = std::min(first.value_or(each.at), each.at);
  }
  return first.value_or(Seconds());
}

ReplicaAudit run_all(ReplicaInput const& in, Clock& clock, Recorder& recorder,
                     AccessPoint& access_point, ReplicaOptions const& options) {
  SlotsOfRequests const slots_of_requests(in.pool, in.campaign, in.strategy, in.draw);
  auto const& slots = slots_of_requests.by_site();
  PoolNetwork const pool_network = make_pool_network(in, slots, options.network);
  Network network(clock, pool_network.plan);
  Negotiator negotiator(clock, access_point, in, slots_of_requests);
  std::optional<training::CampaignTraining> training;
  if (in.campaign.work.catalogue) {
    constexpr std::uint32_t of_training = 1u << 31;  // the others pick calibration draws
    double const quantile = in.streams.stream(Purpose::parameters, of_training).uniform();
    training = training::campaign_training(in.pool, in.campaign, in.strategy, &in.draw, quantile);
  }
  bool const streams = training && training->streams;
  InputTransfer input(clock, recorder, network, pool_network, in,
                      streams ? training->dataset : Bytes(), options.shocks);
  ReplicaAudit audit;
  Attempts attempts(clock, recorder, access_point, input, in, options.shocks);
  Pilots pilots(clock, access_point, negotiator, attempts, in);
  std::optional<TrainingRuns> runs;
  if (training) {
    runs.emplace(clock, recorder, access_point, input, *training);
    attempts.train(*runs);
  }
  if (options.cache_samples) input.watch_caches(audit.cache_samples);
  access_point.open([&] { negotiator.wake(); }, [&] { negotiator.close(); });
  bool const chooses = access_point.choice().requires_slots();
  if (!slots_of_requests.all_offered() || chooses) access_point.sweep();
  if (options.horizon) access_point.end_at(first_submission(in.campaign) + *options.horizon);
  for (std::size_t i = 0; i < slots.size(); ++i) pilots.start(Id<history::Site>(i), slots[i]);
  clock.run();
  count_slots(audit, pilots.time());
  audit.dead_leases = access_point.dead_leases();
  count_transfers(audit, input, network);
  return audit;
}

void sort_transfers(history::JobHistory& history, scenario::Campaign const& campaign) {
  if (history.transfers.empty()) return;
  for (scenario::InputFile const& file : campaign.input) history.urls.push_back(file.url);
  // Each job's own are in order.
  std::ranges::stable_sort(history.transfers, {}, &history::UrlTransfer::job);
}

// In a DAG each job has the label of its node, as DAGMan gives it to the schedd.
std::vector<history::JobLabel> labels_by_job(scenario::Campaign const& campaign) {
  bool const named = std::any_of(campaign.submit.begin(), campaign.submit.end(),
                                 [](auto const& submission) { return !submission.name.empty(); });
  if (!named) return {};
  return scenario::by_job(campaign, [](scenario::Submission const& submission) {
    return history::JobLabel{.node = submission.name};
  });
}

}  // namespace

std::vector<scenario::SiteParameters const*> parameters_by_site(ReplicaInput const& in) {
  return each_of(in.pool.sites, [&](auto const& site) { return &in.draw.sites.at(site.name); });
}

// For 4096 timers each: some seconds of computing.
constexpr int looks_at_one_time = 1000;

/// True for jobs of one submit file whose requests differ (`queue` from a list): one cluster.
bool is_same_cluster(scenario::Submission const& one, scenario::Submission const& next) {
  bool const requests = one.request != next.request;
  bool const nodes = !one.name.empty() || !next.name.empty();
  return requests && !nodes && !next.second_copy && one.at == next.at && one.user == next.user;
}

// Jobs are named as condor_submit would: one cluster for each submission, from 1.
history::JobHistory unplayed_history(scenario::Pool const& pool,
                                     scenario::Campaign const& campaign) {
  history::JobHistory history;
  history.jobs.reserve(static_cast<std::size_t>(campaign.jobs()));
  std::uint32_t cluster = 0, proc = 0;
  scenario::Submission const* last = nullptr;
  for (scenario::Submission const& submission : campaign.submit) {
    if (last == nullptr || !is_same_cluster(*last, submission)) {
      ++cluster;
      proc = 0;
    }
    last = &submission;
    for (int job = 0; job < submission.jobs; ++job) history.jobs.push_back({cluster, proc++});
  }
  for (scenario::SiteSpec const& site : pool.sites) history.sites.push_back(site.name);
  history.gpus_per_job = std::max(1, campaign.request.gpus);
  // AccessPoint::record_with_gpus records which of them an attempt has.
  bool const any_gpus = !scenario::without_gpus(campaign);
  scenario::JobRequests const requests(campaign);
  for (int const requested : requests.gpu_numbers()) {
    for (scenario::SiteSpec const& site : pool.sites) {
      int const count = site.gpus_per_slot > 0 ? site.gpus_per_slot : requested;
      auto const known = count > 0 || any_gpus ? std::optional(count) : std::nullopt;
      history.gpus.push_back({site.gpu, known, site.gpu_memory, site.gpu_capability});
    }
  }
  history.users = users_by_job(campaign);
  history.labels = labels_by_job(campaign);
  history.occupied = occupied_slots(campaign);
  return history;
}

ReplicaAudit simulate_into(history::HistorySink& sink, std::vector<history::JobName> const& names,
                           scenario::Pool const& pool, scenario::Campaign const& campaign,
                           scenario::Strategy const& strategy, scenario::ParameterDraw const& draw,
                           RandomStreams const& streams, ReplicaOptions const& options) {
  Clock clock;
  clock.look_with([&clock, at = Seconds(), looks = 0]() mutable {
    looks = clock.now() > at ? 0 : looks + 1;
    at = clock.now();
    check(looks < looks_at_one_time, "time goes on: millions of timers at one moment get nowhere");
    if (interrupt_held_back()) throw Interrupted();
  });
  Recorder recorder(clock, sink);
  ReplicaInput const in{pool, campaign, strategy, draw, streams};
  AccessPoint access_point(clock, recorder, in, names);
  ReplicaAudit audit = run_all(in, clock, recorder, access_point, options);
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
