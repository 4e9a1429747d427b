#include "sim/study/scenario_replica.hpp"

#include <string_view>
#include <utility>

#include "sim/base/random.hpp"
#include "sim/engine/replay.hpp"
#include "sim/engine/replica.hpp"
#include "sim/engine/resampled_jobs.hpp"
#include "sim/scenario/draw_columns.hpp"
#include "sim/scenario/submit_strategy.hpp"

namespace gridcast::study {
namespace {

/// The prior, without the kinds that the scenario switches off.
engine::CampaignVariation variation_of(std::string const& without) {
  using engine::CampaignVariation;
  if (scenario::names_process(without, scenario::campaign_variation)) return {};
  CampaignVariation variation = engine::usual_variation();
  constexpr std::pair<std::string_view, engine::FactorLaw CampaignVariation::*> factors[] = {
      {"computing-variation", &CampaignVariation::computing},
      {"transfer-variation", &CampaignVariation::transfers},
      {"attempt-variation", &CampaignVariation::repeats},
      {"hold-variation", &CampaignVariation::holds},
      {"waiting-variation", &CampaignVariation::waiting},
      {"outcome-variation", &CampaignVariation::odds}};
  for (auto const& [name, factor] : factors) {
    if (scenario::names_process(without, name)) variation.*factor = {};
  }
  if (scenario::names_process(without, "unseen-events")) variation.unseen = {};
  return variation;
}

/// The strategy on the hosts that are left, where it decides as on all hosts.
scenario::Strategy elsewhere_alike(scenario::Strategy strategy) {
  strategy.match.avoid_hosts.clear();
  return strategy;
}

engine::ReplicaAudit repeat_record(history::HistorySink& sink, history::JobHistory const& names,
                                   scenario::Scenario const& scenario,
                                   scenario::Campaign const& campaign,
                                   scenario::Strategy const& strategy, ReplicaKey const& key,
                                   engine::ReplicaOptions const& options) {
  auto const& recorded = *scenario.calibration.recorded;
  auto const variation = variation_of(scenario.study.without);
  auto const factors = engine::campaign_factors(variation, key.seed, key.replica);
  RandomStreams const streams(key.seed, key.replica);
  auto const& hosts = strategy.match.avoid_hosts;
  auto const available =
      hosts.empty()
          ? recorded
          : history::RecordedCampaign{
                engine::without_hosts(recorded.jobs, hosts, streams.stream(Purpose::bootstrap, 6)),
                engine::supply_without_hosts(recorded, hosts)};
  auto const jobs =
      engine::resampled_jobs(available.jobs, names.jobs.size(), factors, variation.unseen, streams);
  history::SlotSupply slots = available.slots;
  for (Seconds& at : slots.first_free) at = at * factors.waiting;
  slots.pause = slots.pause * factors.waiting;
  engine::ReplayGrid const grid{scenario.pool.access_point, scenario.campaign.input_size(),
                                scenario.strategy(scenario.baseline)};
  return engine::replay_next(sink, {jobs, slots, names.jobs, campaign, options.horizon}, grid,
                             elsewhere_alike(strategy), key.draw, streams);
}

}  // namespace

history::JobHistory names_of(scenario::Scenario const& scenario,
                             scenario::Strategy const& strategy) {
  auto names =
      engine::unplayed_history(scenario.pool, scenario::submitted_campaign(scenario, strategy));
  if (!scenario.calibration.recorded) return names;
  history::JobHistory const& recorded = scenario.calibration.recorded->jobs.names;
  names.sites = recorded.sites;
  names.gpus = recorded.gpus;
  names.gpus_per_job = recorded.gpus_per_job;
  return names;
}

engine::ReplicaAudit simulate_into(history::HistorySink& sink, history::JobHistory const& names,
                                   scenario::Scenario const& scenario,
                                   scenario::Strategy const& strategy, ReplicaKey const& key,
                                   engine::ReplicaOptions const& options) {
  auto const campaign = scenario::submitted_campaign(scenario, strategy);
  if (scenario.calibration.recorded) {
    return repeat_record(sink, names, scenario, campaign, strategy, key, options);
  }
  return engine::simulate_into(sink, names.jobs, scenario.pool, campaign, strategy, key.draw,
                               RandomStreams(key.seed, key.replica), options);
}

engine::Replica simulate(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                         ReplicaKey const& key, engine::ReplicaOptions const& options,
                         history::HistorySink* watcher) {
  if (!scenario.calibration.recorded) {
    return engine::simulate(scenario.pool, scenario::submitted_campaign(scenario, strategy),
                            strategy, key.draw, RandomStreams(key.seed, key.replica), options,
                            watcher);
  }
  engine::Replica replica{names_of(scenario, strategy), {}};
  engine::WatchedKeeper keeper(replica.history, watcher);
  history::JobHistory const names = replica.history;
  replica.audit = simulate_into(keeper, names, scenario, strategy, key, options);
  return replica;
}

}  // namespace gridcast::study
