// Congestion: transfers of one node's slots share its link, and the starter's timer over the whole
// transfer throws away what has arrived. Nothing is drawn for it: with k slots, b bytes each and a
// link of capacity C all take k b / C, and where that is longer than the timeout nobody ever gets
// through, as all start again together.
#include "tests/engine/events.hpp"
#include "tests/engine/quiet_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

using enum history::EventKind;

constexpr BytesPerSecond capacity(2e6);  // a transfer alone takes 500 s

Grid node_of(int slots) {
  Grid grid = quiet_grid(slots, slots);
  grid.site().link_capacity = scenario::unlimited_rate;
  grid.site().node_capacity = capacity;
  grid.site().slots_per_node = slots;
  grid.draw.outages.scope = scenario::OutageScope::none;
  grid.strategy.transfer.stall_timer = scenario::StallTimer::whole_transfer;
  return grid;
}

engine::Replica two_days_of(Grid const& grid) {
  engine::ReplicaOptions options;
  options.horizon = days(2);
  return grid.run(0, options);
}

void check_times(Grid const& grid, std::vector<double> const& expected) {
  auto const took = transfer_times(two_days_of(grid).history);
  REQUIRE(took.size() == expected.size());
  for (std::size_t i = 0; i < took.size(); ++i) CHECK(took[i].value() == Approx(expected[i]));
}

}  // namespace

TEST_CASE("up to the timeout a node's transfers all get through") {
  for (int const k : {1, 4, 7}) check_times(node_of(k), std::vector<double>(k, k * 500.));
}

TEST_CASE("beyond it they collapse: the link is busy all the time, and nobody gets through") {
  for (int const k : {8, 16}) {
    engine::Replica const done = two_days_of(node_of(k));
    CHECK(count(done.history, transfer_input_finished) == 0);
    auto const rounds = count(done.history, shadow_exception) / static_cast<std::size_t>(k);
    CHECK(rounds == static_cast<std::size_t>(days(2).value() / 3621));
    CHECK(done.audit.bytes_delivered.value() > 0.99 * (capacity * days(2)).value());
  }
}

TEST_CASE("with the timer off, or more patient, all get through at the node's pace") {
  Grid grid = node_of(8);
  grid.strategy.transfer.stall_timer = scenario::StallTimer::never;
  check_times(grid, std::vector<double>(8, 4000));
  grid.strategy.transfer.stall_timer = scenario::StallTimer::silence;
  check_times(grid, std::vector<double>(8, 4000));
  grid.strategy.transfer.stall_timer = scenario::StallTimer::whole_transfer;
  grid.strategy.transfer.stall_timeout = hours(2);
  check_times(grid, std::vector<double>(8, 4000));
}

// Four at a time take 2,000 s; the others wait for their turn, which the timer does not count.
TEST_CASE("fewer at a time get through under the same timer") {
  Grid grid = node_of(8);
  grid.strategy.transfer.most_at_a_time = 4;
  check_times(grid, {2000, 2000, 2000, 2000, 4000, 4000, 4000, 4000});
  grid.strategy.transfer.most_at_a_time = 1;
  check_times(grid, {500, 1000, 1500, 2000, 2500, 3000, 3500, 4000});
}

TEST_CASE("nodes of their own do not meet") {
  Grid grid = node_of(8);
  grid.site().slots_per_node = 4;
  check_times(grid, std::vector<double>(8, 2000));
  grid.site().slots_per_node = 0;  // a pilot's slots are a node
  grid.pool.sites[0].slots_per_pilot = 2;
  check_times(grid, std::vector<double>(8, 1000));
}

}  // namespace gridcast::test
