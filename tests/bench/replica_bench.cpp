// One replica of the published campaign, with and without its ledger, beside the raw floor.
#include <chrono>

#include <benchmark/benchmark.h>

#include "sim/ledger/ledger.hpp"
#include "tests/bench/published_campaign.hpp"
#include "tests/bench/raw_floor.hpp"

namespace gridcast::bench {

namespace {

class Stopwatch {
 public:
  double lap() {
    auto const now = Time::now();
    double const seconds = std::chrono::duration<double>(now - since_).count();
    since_ = now;
    return seconds;
  }

 private:
  using Time = std::chrono::steady_clock;
  Time::time_point since_ = Time::now();
};

// Side by side in one loop, so that whatever slows the machine slows both.
void published_replica(benchmark::State& state) {
  PublishedCampaign const published;
  double replica = 0, ledger = 0, floor = 0, timers = 0, floor_timers = 0, events = 0;
  std::uint32_t number = 0;
  for (auto _ : state) {
    Stopwatch watch;
    engine::Replica const simulation = published.run(number);
    double const simulated = watch.lap();
    benchmark::DoNotOptimize(ledger::account(simulation.history));
    ledger += watch.lap();
    FloorLoad const load = same_work(simulation.audit, published.gpus(number++));
    watch.lap();
    floor_timers += static_cast<double>(run_floor(load).timers);
    floor += watch.lap();
    replica += simulated;
    timers += static_cast<double>(simulation.audit.timers);
    events += static_cast<double>(simulation.history.events.size());
    state.SetIterationTime(simulated);
  }
  double const n = static_cast<double>(state.iterations());
  state.counters["floor_us"] = 1e6 * floor / n;
  state.counters["ratio"] = replica / floor;
  state.counters["ratio_with_ledger"] = (replica + ledger) / floor;
  state.counters["timers"] = timers / n;
  state.counters["floor_timers"] = floor_timers / n;
  state.counters["events"] = events / n;
}
BENCHMARK(published_replica)->UseManualTime()->Unit(benchmark::kMicrosecond)->MinTime(2);

void published_ledger(benchmark::State& state) {
  history::JobHistory const history = PublishedCampaign().run(0).history;
  for (auto _ : state) benchmark::DoNotOptimize(ledger::account(history));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(history.events.size()));
}
BENCHMARK(published_ledger)->Unit(benchmark::kMicrosecond);

}  // namespace

}  // namespace gridcast::bench
