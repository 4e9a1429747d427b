// A cache's book-keeping: hits, and misses that push the least recently used files out.
#include <benchmark/benchmark.h>

#include "sim/engine/transfer/cache.hpp"

namespace gridcast::bench {

namespace {

constexpr Bytes file_size(1e9);

// Files in turn through a cache that holds `held` of them: with fewer files every touch is a hit,
// with more every one is a miss.
void lru(benchmark::State& state) {
  auto const held = static_cast<double>(state.range(0));
  auto const files = static_cast<engine::FileId>(state.range(1));
  engine::CacheStore store(file_size * held, 1, 0.9);
  engine::FileId file = 0;
  std::int64_t hits = 0;
  for (auto _ : state) {
    if (store.touch(file)) {
      ++hits;
    } else {
      store.insert(file, file_size);
    }
    file = file + 1 < files ? file + 1 : 0;
  }
  state.counters["hit_ratio"] = static_cast<double>(hits) / static_cast<double>(state.iterations());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(lru)
    ->ArgNames({"held", "files"})
    ->Args({100, 50})
    ->Args({100, 200})
    ->Args({100'000, 50'000})
    ->Args({100'000, 200'000});

}  // namespace

}  // namespace gridcast::bench
