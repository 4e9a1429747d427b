// The starter's stall timer: the transfers by a plugin that it ends, when it ends them, and the
// transfers that pass.
#include "tests/engine/events.hpp"
#include "tests/engine/quiet_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

using enum history::EventKind;
using enum scenario::StallTimer;

/// Transfers that take so long, and nothing wrong with them: 250 kB/s for 4,000 s.
Grid healthy_grid(Seconds time, scenario::StallTimer timer, Seconds timeout) {
  Grid grid = quiet_grid(1, 1);
  grid.site().stream_limit = input_size / time;
  grid.strategy.transfer.stall_timer = timer;
  grid.strategy.transfer.stall_timeout = timeout;
  return grid;
}

history::JobHistory simulated(Grid const& grid) {
  engine::ReplicaOptions options;
  options.network = engine::NetworkModel::fast;
  options.horizon = days(2);
  return grid.run(0, options).history;
}

/// No transfer arrives, and each is ended after so long.
void check_all_ended(Grid const& grid, Seconds after) {
  history::JobHistory const history = simulated(grid);
  CHECK(count(history, transfer_input_finished) == 0);
  auto const events = events_of(history, 0);
  CHECK(events.back().kind == aborted);  // at the horizon
  auto const started = times(events, transfer_input_started);
  auto const ended = times(events, shadow_exception);
  REQUIRE(ended.size() > 10);
  CHECK(count(history, shadow_exception, history::Reason::transfer_stalled) == ended.size());
  for (std::size_t i = 0; i < ended.size(); ++i) {
    CHECK((ended[i] - started[i]).value() == Approx(after.value()).margin(1e-4));
  }
}

void check_through(Grid const& grid, Seconds time) {
  history::JobHistory const history = simulated(grid);
  CHECK(count(history, shadow_exception) == 0);
  REQUIRE(transfer_times(history).size() == 1);
  CHECK(transfer_times(history)[0].value() == Approx(time.value()));
}

}  // namespace

TEST_CASE("over the whole transfer, the timer ends a healthy one at the look after its timeout") {
  Seconds const time(4000);
  check_all_ended(healthy_grid(time, whole_transfer, hours(1)), Seconds(3620));
  check_through(healthy_grid(time, whole_transfer, hours(2)), time);
  check_through(healthy_grid(Seconds(3619), whole_transfer, hours(1)), Seconds(3619));
  check_all_ended(healthy_grid(Seconds(3621), whole_transfer, hours(1)), Seconds(3620));
}

TEST_CASE("off, or looking for silence, the timer lets a healthy transfer through") {
  check_through(healthy_grid(Seconds(4000), never, hours(1)), Seconds(4000));
  check_through(healthy_grid(Seconds(4000), silence, hours(1)), Seconds(4000));
  check_through(healthy_grid(Seconds(50000), never, Seconds(1)), Seconds(50000));
}

TEST_CASE("a timeout below the first look acts at the first look") {
  check_all_ended(healthy_grid(Seconds(4000), whole_transfer, Seconds(10)), Seconds(20));
  check_through(healthy_grid(Seconds(19), whole_transfer, Seconds(10)), Seconds(19));
}

TEST_CASE("the timer looks at the stated times") {
  Grid grid = healthy_grid(Seconds(4000), whole_transfer, hours(1));
  grid.strategy.transfer.first_check = Seconds(50);
  grid.strategy.transfer.check_interval = Seconds(1000);
  check_through(grid, Seconds(4000));  // at 4,050 s
  grid.strategy.transfer.check_interval = Seconds(900);
  check_all_ended(grid, Seconds(3650));
}

TEST_CASE("the timer is for all of a plugin's URLs together") {
  Grid grid = healthy_grid(Seconds(1000), whole_transfer, hours(1));
  grid.campaign.input.assign(5, {"osdf:///input", input_size});
  check_all_ended(grid, Seconds(3620));
  history::JobHistory const history = simulated(grid);
  int arrived[5] = {};
  for (history::UrlTransfer const& each : history.transfers) arrived[each.url] += each.succeeded;
  CHECK(arrived[2] > 10);
  CHECK(arrived[2] >= arrived[0] - 1);  // the horizon cuts one short
  CHECK(arrived[3] == 0);
  grid.campaign.input.pop_back();
  grid.campaign.input.pop_back();
  check_through(grid, Seconds(3000));
}

// A client with a timeout of its own does not change what the starter sees.
TEST_CASE("the timer also ends downloads from the origin and of a client that tries other caches") {
  Grid grid = healthy_grid(Seconds(4000), whole_transfer, hours(1));
  grid.strategy.transfer.on_stall = scenario::OnStall::next_cache;
  grid.strategy.transfer.client_timeout = Seconds(100);
  check_all_ended(grid, Seconds(3620));
  grid.strategy.transfer = {};
  grid.strategy.transfer.protocol = scenario::Protocol::http;
  grid.strategy.transfer.stall_timer = whole_transfer;
  check_all_ended(grid, Seconds(3620));
}

TEST_CASE("HTCondor's own transfers are none of the timer's business") {
  Grid grid = healthy_grid(Seconds(4000), whole_transfer, hours(1));
  grid.strategy.transfer.protocol = scenario::Protocol::htcondor;
  check_through(grid, Seconds(4000));
}

// Nothing of a dead connection arrives; the timer over the whole transfer and the one that looks
// for silence end it at the same look.
TEST_CASE("a dead connection is ended by either timer, and by neither lasts a plugin's life") {
  for (auto const& [timer, after] :
       {std::pair{whole_transfer, 3620.}, {silence, 3620.}, {never, 72000.}}) {
    Grid grid = quiet_grid(1, 1);
    grid.draw.outages.stall_when_quiet = 1;
    grid.strategy.transfer.stall_timer = timer;
    engine::ReplicaOptions options;
    options.horizon = days(2);
    engine::Replica const replica = grid.run(0, options);
    auto const events = events_of(replica.history, 0);
    CHECK((events[3].at - events[2].at).value() == Approx(after).margin(1e-4));
    CHECK(events[3].kind == (timer == never ? held : shadow_exception));
    CHECK(replica.audit.bytes_delivered == Bytes(0));
  }
}

// The starter counts the silence of the whole run, the client that of each try: three tries without
// a byte, 1,500 s each, would take 4,500 s.
TEST_CASE("a timer that looks for silence ends a client that asks on more patiently than it") {
  Grid grid = quiet_grid(1, 1);
  add_caches(grid);
  grid.draw.outages.stall_when_quiet = 1;
  grid.draw.hold_on_stall = 1;
  grid.strategy.retry.on_transfer_failure = scenario::OnTransferFailure::hold;
  grid.strategy.transfer.on_stall = scenario::OnStall::next_cache;
  auto const check_end = [&](double after, history::Reason reason) {
    auto const events = events_of(simulated(grid), 0);
    CHECK((events[3].at - events[2].at).value() == Approx(after).margin(1e-4));
    CHECK(events[3].reason == reason);
  };
  grid.strategy.transfer.client_timeout = Seconds(1500);
  check_end(3620, history::Reason::transfer_stalled);
  grid.strategy.transfer.client_timeout = hours(2);
  check_end(3620, history::Reason::transfer_stalled);
  grid.strategy.transfer.client_timeout = Seconds(1200);
  check_end(3600, history::Reason::transfer_failed);
  grid.strategy.transfer.client_timeout = Seconds(1500);
  grid.strategy.transfer.stall_timeout = hours(2);
  check_end(4500, history::Reason::transfer_failed);
  grid.strategy.transfer.stall_timeout = hours(1);
  grid.strategy.transfer.stall_timer = never;
  check_end(4500, history::Reason::transfer_failed);
}

// Each try brings bytes for a while at 50 kB/s, less than the 130 s that the client puts up with,
// and each byte starts the starter's hour anew.
TEST_CASE("bytes of a later try start the timer's silence anew") {
  Grid grid = quiet_grid(1, 1);
  add_caches(grid);
  grid.draw.outages.stall_when_quiet = 1;
  grid.draw.outages.slow_before_stall = 1;
  grid.draw.outages.slow_duration = Seconds(10);
  grid.draw.hold_on_stall = 1;
  grid.strategy.transfer.on_stall = scenario::OnStall::next_cache;
  grid.strategy.transfer.client_timeout = Seconds(1500);
  grid.strategy.retry.on_transfer_failure = scenario::OnTransferFailure::hold;
  auto const events = events_of(simulated(grid), 0);
  CHECK(events[3].reason == history::Reason::transfer_failed);
  CHECK((events[3].at - events[2].at).value() > 4500);
  CHECK((events[3].at - events[2].at).value() < 4500 + 3 * 130);
}

}  // namespace gridcast::test
