#include "sim/engine/replica.hpp"
#include "tests/engine/random_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

TEST_CASE("a trace has the bytes and hits that the resources counted", "[resource_trace]") {
  engine::ReplicaOptions traced;
  traced.trace = true;
  std::size_t bad = 0;
  for (std::uint32_t number = 0; number < 200; ++number) {
    INFO("grid " << number);
    auto const audit = random_grid(number).run(number, traced).audit;
    Bytes to_jobs;
    for (auto const& each : audit.resources.transfers) {
      if (!each.fill) to_jobs += each.bytes;
      CHECK(each.start <= each.end);
    }
    std::uint64_t hits = 0, misses = 0;
    for (auto const& cache : audit.resources.caches) {
      hits += cache.hits;
      misses += cache.misses;
    }
    CHECK(hits == audit.cache_hits);
    CHECK(misses == audit.cache_misses);
    CHECK(to_jobs.value() == Approx(audit.bytes_delivered.value()));
    bad += audit.resources.bad.size();
  }
  CHECK(bad > 100);  // some grids are bad at times
}

TEST_CASE("tracing changes nothing of the history", "[resource_trace]") {
  engine::ReplicaOptions traced;
  traced.trace = true;
  Grid const grid = random_grid(7);
  auto const plain = grid.run(7), watched = grid.run(7, traced);
  CHECK(plain.audit.resources.transfers.empty());
  REQUIRE(plain.history.events.size() == watched.history.events.size());
  for (std::size_t i = 0; i < plain.history.events.size(); ++i) {
    CHECK(plain.history.events[i].at == watched.history.events[i].at);
    CHECK(plain.history.events[i].kind == watched.history.events[i].kind);
  }
}

}  // namespace gridcast::test
