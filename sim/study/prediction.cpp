#include "sim/study/prediction.hpp"

#include <fmt/format.h>

#include "gridcast_version.hpp"
#include "sim/base/files.hpp"
#include "sim/study/record.hpp"

namespace gridcast::study {

scenario::ParameterDraw const& draw_of(scenario::Calibration const& calibration, std::uint64_t seed,
                                       std::uint32_t replica) {
  auto stream = RandomStreams(seed, replica).stream(Purpose::parameters, replica);
  return calibration.draws[stream.below(static_cast<std::uint32_t>(calibration.draws.size()))];
}

engine::Replica simulate_replica(scenario::Scenario const& scenario,
                                 scenario::Strategy const& strategy, std::uint64_t seed,
                                 std::uint32_t replica, engine::ReplicaOptions const& options,
                                 history::HistorySink* watcher) {
  return engine::simulate(scenario.pool, scenario.campaign, strategy,
                          draw_of(scenario.calibration, seed, replica),
                          RandomStreams(seed, replica), options, watcher);
}

engine::ReplicaAudit simulate_replica_into(history::HistorySink& sink,
                                           history::JobHistory const& names,
                                           scenario::Scenario const& scenario,
                                           scenario::Strategy const& strategy, std::uint64_t seed,
                                           std::uint32_t replica,
                                           engine::ReplicaOptions const& options) {
  return engine::simulate_into(sink, names.jobs, scenario.pool, scenario.campaign, strategy,
                               draw_of(scenario.calibration, seed, replica),
                               RandomStreams(seed, replica), options);
}

Record predict_replica(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                       std::uint64_t seed, std::uint32_t replica,
                       engine::ReplicaOptions const& options) {
  auto const names = engine::unplayed_history(scenario.pool, scenario.campaign);
  RecordKeeper keeper(names);
  simulate_replica_into(keeper, names, scenario, strategy, seed, replica, options);
  return keeper.finish(site_names(scenario), draw_of(scenario.calibration, seed, replica));
}

std::vector<std::string> site_names(scenario::Scenario const& scenario) {
  std::vector<std::string> names;
  for (auto const& site : scenario.pool.sites) names.push_back(site.name);
  return names;
}

std::unique_ptr<Journal> open_journal(scenario::Scenario const& scenario,
                                      StudyOptions const& options, std::string const& what) {
  if (options.resume.empty()) return nullptr;
  prepare_folder(options.resume);
  std::string const all =
      fmt::format("{} {} {} {} {} {}", version_number, scenario.sha256, scenario.calibration.sha256,
                  options.seed, static_cast<int>(options.simulation.network), what);
  return std::make_unique<Journal>(options.resume / "study.journal", sha256(all));
}

Prediction predict(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                   StudyOptions const& options) {
  auto const task = [&](std::uint32_t replica) {
    return predict_replica(scenario, strategy, options.seed, replica, options.simulation);
  };
  auto const journal = open_journal(scenario, options, "predict " + strategy.name);
  auto result = run_replicas(options.replicas, options.processes, task, options.progress,
                             default_patience, journal.get());

  Prediction prediction;
  prediction.scenario = scenario::arguments_of(scenario);
  prediction.scenario_sha256 = scenario.sha256;
  prediction.title = scenario.title;
  prediction.question = scenario.question;
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

}  // namespace gridcast::study
