// Jobs a second of larger campaigns with every process on (scale_scenario.py): stalls,
// shocks, holds and releases, pilots that come, retire and are killed; the ledger included. Beside
// each the raw floor: a program that makes the same number of transfers and of other timers
// (times_floor: the engine over it; with_ledger: the engine, the ledger and its record).
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>
#include <unistd.h>

#include <benchmark/benchmark.h>

#include "sim/base/child.hpp"
#include "sim/base/error.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/prediction.hpp"
#include "tests/bench/raw_floor.hpp"

namespace gridcast::bench {

namespace {

struct Scale {
  std::int64_t jobs = 0, slots = 0;
  double load = 0.5;
};

scenario::Scenario scale_scenario(Scale const& scale) {
  auto const folder =
      std::filesystem::temp_directory_path() / ("gridcast-scale-bench-" + std::to_string(getpid()));
  auto const end = run_command({GRIDCAST_SOURCE_DIR "/tests/bench/scale_scenario.py", "--jobs",
                                std::to_string(scale.jobs), "--slots", std::to_string(scale.slots),
                                "--load", std::to_string(scale.load), folder.string()});
  if (!end.succeeded()) throw InternalError("scale_scenario.py: " + end.last_words());
  scenario::Scenario scenario = scenario::read_scenario(folder / "scenario.yaml");
  std::filesystem::remove_all(folder);
  return scenario;
}

/// Takes the events and keeps nothing, so that the engine is measured alone, as its floor is.
class NoSink final : public history::HistorySink {
  void add(history::JobEvent const& event) override { benchmark::DoNotOptimize(event); }
};

double processor_seconds(auto const& work) {
  auto const start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void larger_campaign(benchmark::State& state) {
  Scale const scale{state.range(0), state.range(1), static_cast<double>(state.range(2)) / 10};
  scenario::Scenario const scenario = scale_scenario(scale);
  scenario::Strategy const& strategy = scenario.strategies.front();
  auto const names = engine::unplayed_history(scenario.pool, scenario.campaign);
  auto const engine_alone = [&] {
    NoSink sink;
    return study::simulate_replica_into(sink, names, scenario, strategy, 1, 0);
  };
  engine::ReplicaAudit const audit = engine_alone();
  FloorLoad const load = same_work(audit, static_cast<int>(scale.slots));
  double simulated = 0, engine = 0, floor = 0;
  for (auto _ : state) {
    double const replica = processor_seconds(
        [&] { benchmark::DoNotOptimize(study::predict_replica(scenario, strategy, {}, 0)); });
    floor += processor_seconds([&] { benchmark::DoNotOptimize(run_floor(load)); });
    engine += processor_seconds([&] { benchmark::DoNotOptimize(engine_alone()); });
    simulated += replica;
    state.SetIterationTime(replica);
  }
  double const jobs = static_cast<double>(state.iterations()) * static_cast<double>(state.range(0));
  state.counters["jobs/s"] = jobs / simulated;
  state.counters["times_floor"] = engine / floor;
  state.counters["with_ledger"] = simulated / floor;
  state.counters["timers/job"] =
      static_cast<double>(audit.timers) / static_cast<double>(state.range(0));
}
BENCHMARK(larger_campaign)
    ->ArgNames({"jobs", "slots", "tenths_of_load"})
    ->Args({1'000, 100, 5})
    ->Args({10'000, 100, 5})
    ->Args({100'000, 100, 5})
    ->Args({1'000, 5'000, 5})
    ->Args({10'000, 5'000, 5})
    ->Args({100'000, 5'000, 5})
    ->Args({100'000, 5'000, 10})
    ->Args({100'000, 5'000, 20})
    ->Args({1'000'000, 5'000, 5})
    ->Args({1'000'000, 5'000, 10})
    ->Args({1'000'000, 5'000, 20})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace gridcast::bench
