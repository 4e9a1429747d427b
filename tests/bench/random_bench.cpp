// Random streams and the draws that a replica makes.
#include <benchmark/benchmark.h>

#include "sim/base/random.hpp"

namespace gridcast::bench {

namespace {

void stream_of_one_draw(benchmark::State& state) {
  RandomStreams const streams(1, 0);
  std::uint32_t job = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(streams.stream(Purpose::test, job++).uniform());
  }
}
BENCHMARK(stream_of_one_draw);

void uniform(benchmark::State& state) {
  RandomStream stream = RandomStreams(1, 0).stream(Purpose::test, 0);
  for (auto _ : state) benchmark::DoNotOptimize(stream.uniform());
}
BENCHMARK(uniform);

void sample(benchmark::State& state) {
  Distribution const distribution{all_families().at(static_cast<std::size_t>(state.range(0))), 1.5,
                                  100, 0};
  RandomStream stream = RandomStreams(1, 0).stream(Purpose::test, 0);
  for (auto _ : state) benchmark::DoNotOptimize(distribution.sample(stream));
  state.SetLabel(std::string(name(distribution.family)));
}
BENCHMARK(sample)->DenseRange(0, 4);

}  // namespace

}  // namespace gridcast::bench
