// Dated worlds: the same arguments give the same bytes, and strategies are compared with common
// random numbers.
#include <cstring>

#include "sim/base/statistics.hpp"
#include "tests/engine/random_dated_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

bool same_bytes(history::JobHistory const& a, history::JobHistory const& b) {
  auto const same = [](history::JobEvent const& x, history::JobEvent const& y) {
    return x.at == y.at && x.job == y.job && x.kind == y.kind && x.reason == y.reason &&
           x.site == y.site && x.slot == y.slot && x.useful == y.useful;
  };
  return std::equal(a.events.begin(), a.events.end(), b.events.begin(), b.events.end(), same);
}

}  // namespace

TEST_CASE("a dated replica is the same each time, with the clock running on") {
  for (std::uint32_t number = 0; number < 60; ++number) {
    INFO("grid " << number);
    Grid const grid = RandomDatedGrid(number).draw();
    history::JobHistory const first = grid.run(number).history;
    dated_grid(3, 7 + static_cast<int>(number)).run();  // moves SimGrid's clock
    CHECK(same_bytes(first, grid.run(number).history));
  }
}

TEST_CASE("common random numbers pair campaigns of dated worlds that differ in policy") {
  Grid grid = dated_grid(15, 60);
  scenario::EventLogParameters& world = *grid.draw.event_log;
  world.job_sigma = 0.4;
  site_of(grid).url_failure = 0.1;
  site_of(grid).crash = 0.2;
  site_of(grid).evict_per_second = 1e-4;
  policy_of(grid).max_retries = 3;
  auto const claimed = [&] {
    std::vector<double> sums;
    for (std::uint32_t replica = 0; replica < 300; ++replica) {
      sums.push_back(grid.run(replica).audit.slot_busy.value());
    }
    return sums;
  };
  auto const plain = claimed();
  policy_of(grid).checkpoint_every_epochs = 2;
  auto const with_checkpoints = claimed();
  std::vector<double> paired;
  for (std::size_t i = 0; i < plain.size(); ++i) paired.push_back(plain[i] - with_checkpoints[i]);
  CHECK((variance(plain) + variance(with_checkpoints)) / variance(paired) > 2);
}

}  // namespace gridcast::test
