#include "sim/study/prediction.hpp"

#include "sim/study/record.hpp"

namespace gridcast {

World const& world_of(Calibration const& calibration, std::uint64_t seed, std::uint32_t replica) {
  auto stream = RandomStreams(seed, replica).stream(Purpose::parameters, replica);
  return calibration.draws[stream.below(static_cast<std::uint32_t>(calibration.draws.size()))];
}

Replica simulate_replica(Scenario const& scenario, Strategy const& strategy, std::uint64_t seed,
                         std::uint32_t replica, ReplicaOptions const& options) {
  return simulate(scenario.pool, scenario.campaign, strategy,
                  world_of(scenario.calibration, seed, replica), RandomStreams(seed, replica),
                  options);
}

Record predict_replica(Scenario const& scenario, Strategy const& strategy, std::uint64_t seed,
                       std::uint32_t replica, ReplicaOptions const& options) {
  auto const played = simulate_replica(scenario, strategy, seed, replica, options);
  return make_record(played.history, site_names(scenario),
                     world_of(scenario.calibration, seed, replica));
}

std::vector<std::string> site_names(Scenario const& scenario) {
  std::vector<std::string> names;
  for (auto const& site : scenario.pool.sites) names.push_back(site.name);
  return names;
}

Prediction predict(Scenario const& scenario, Strategy const& strategy,
                   StudyOptions const& options) {
  auto const task = [&](std::uint32_t replica) {
    return predict_replica(scenario, strategy, options.seed, replica, options.simulation);
  };
  auto result = run_replicas(options.replicas, options.processes, task, options.progress);

  Prediction prediction;
  prediction.scenario = scenario.file.string();
  prediction.title = scenario.title;
  prediction.strategy = strategy.name;
  prediction.calibration = scenario.calibration.sha256;
  prediction.jobs = scenario.campaign.jobs();
  prediction.requested = options.replicas;
  prediction.seed = options.seed;
  prediction.sample = make_sample(record_names(site_names(scenario)), std::move(result.records));
  prediction.failed = std::move(result.failed);
  prediction.interrupted = result.interrupted;
  return prediction;
}

}  // namespace gridcast
