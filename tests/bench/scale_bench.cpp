// Jobs a second of larger campaigns, close to the job model with which the other simulators were
// measured (docs/performance.md): 1 GB over the link of one of four sites, then 10,000 s on average
// on one slot; the links are offered half of what they carry, or twice.
#include <benchmark/benchmark.h>

#include "tests/engine/quiet_grid.hpp"

namespace gridcast::bench {

namespace {

test::Grid four_sites(int jobs, int slots, double load) {
  test::Grid grid = test::quiet_grid(slots / 4, jobs);
  grid.pool.negotiator.interval = Seconds(60);
  SiteWorld world = grid.site();
  world.epoch = {Family::lognormal, 0.3, 1e4, 0};
  world.link_capacity = slots / 4 * test::input_size / Seconds(1e4 * load);
  world.stream_limit = world.link_capacity;
  for (std::size_t i = grid.pool.sites.size(); i < 4; ++i) {
    grid.pool.sites.push_back(grid.pool.sites[0]);
    grid.pool.sites.back().name = "site" + std::to_string(i);
  }
  for (SiteSpec const& site : grid.pool.sites) grid.world.sites[site.name] = world;
  return grid;
}

void larger_campaign(benchmark::State& state) {
  int const jobs = static_cast<int>(state.range(0));
  double const load = static_cast<double>(state.range(2)) / 10;
  test::Grid const grid = four_sites(jobs, static_cast<int>(state.range(1)), load);
  std::uint32_t number = 0;
  for (auto _ : state) benchmark::DoNotOptimize(grid.run(number++));
  state.SetItemsProcessed(state.iterations() * jobs);
}
BENCHMARK(larger_campaign)
    ->ArgNames({"jobs", "slots", "tenths_of_load"})
    ->Args({100, 100, 5})
    ->Args({1000, 100, 5})
    ->Args({10000, 100, 5})
    ->Args({10000, 5000, 5})
    ->Args({10000, 5000, 20})
    ->Args({100000, 5000, 5})
    ->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace gridcast::bench
