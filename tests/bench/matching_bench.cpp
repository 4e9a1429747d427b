// Matches a second: jobs without input and with next to no work, so that little but the negotiator,
// the access point and the pilots is left.
#include <benchmark/benchmark.h>

#include "tests/engine/quiet_grid.hpp"

namespace gridcast::bench {

namespace {

void matching(benchmark::State& state) {
  int const jobs = static_cast<int>(state.range(0)), slots = static_cast<int>(state.range(1));
  test::Grid grid = test::quiet_grid(slots, jobs);
  grid.pool.negotiator.interval = Seconds(60);
  grid.site().epoch = test::always(Seconds(1));
  grid.campaign.input[0].size = Bytes(1);
  std::uint32_t number = 0;
  for (auto _ : state) benchmark::DoNotOptimize(grid.run(number++));
  state.SetItemsProcessed(state.iterations() * jobs);
}
BENCHMARK(matching)
    ->ArgNames({"jobs", "slots"})
    ->Args({10'000, 100})
    ->Args({10'000, 5'000})
    ->Args({100'000, 5'000})
    ->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace gridcast::bench
