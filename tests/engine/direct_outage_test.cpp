// Outages on paths without a cache: HTTP from the origin, and HTCondor's own transfers from the
// access point. The tests check the scopes on each path, and the rule that ends a dead transfer.
#include <algorithm>
#include <utility>
#include <vector>

#include "tests/engine/events.hpp"
#include "tests/engine/expectation.hpp"
#include "tests/engine/quiet_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

using enum history::EventKind;
using scenario::OutageKind;
using scenario::OutageScope;
using scenario::Protocol;

constexpr double tick = 1e-4;

/// Bad from the start to the end.
Grid always_bad(Protocol protocol, OutageScope scope, OutageKind kind, double fraction = 0.1) {
  Grid grid = quiet_grid(1, 1);
  grid.pool.access_point.max_transfer_input = Bytes(1e12);
  grid.pool.access_point.bandwidth = BytesPerSecond(1e15);
  grid.strategy.transfer.protocol = protocol;
  grid.draw.outages.scope = scope;
  grid.draw.outages.kind = kind;
  grid.draw.outages.bad_fraction = 1;
  grid.draw.outages.bad_duration = Seconds(1);
  grid.draw.outages.stall_when_bad = 1;
  grid.draw.outages.slow_fraction = fraction;
  grid.draw.hold_on_stall = 1;
  return grid;
}

engine::Replica replica_of(Grid const& grid) {
  engine::ReplicaOptions options;
  options.network = engine::NetworkModel::fast;
  options.horizon = days(2);
  return grid.run(0, options);
}

struct First {
  double took;
  history::EventKind ended;
  history::Reason reason;
  double bytes;
};

/// The result of the first job's first transfer.
First first_transfer(Grid const& grid) {
  engine::Replica const replica = replica_of(grid);
  auto const events = events_of(replica.history, 0);
  REQUIRE(events.size() > 3);
  return {(events[3].at - events[2].at).value(), events[3].kind, events[3].reason,
          replica.audit.bytes_delivered.value()};
}

void check_through(Grid const& grid, double time, double bytes = input_size.value()) {
  First const first = first_transfer(grid);
  CHECK(first.ended == transfer_input_finished);
  CHECK(first.took == Approx(time));
  CHECK(first.bytes == Approx(bytes));
}

/// Given up for good by curl, or ended by the starter's timer, which the access point hears of as
/// an exception.
void check_ended(Grid const& grid, double after, history::Reason reason, double bytes = 0) {
  First const first = first_transfer(grid);
  CHECK(first.ended == (reason == history::Reason::no_progress ? held : shadow_exception));
  CHECK(first.reason == reason);
  CHECK(first.took == Approx(after).margin(tick));
  CHECK(first.bytes == Approx(bytes).margin(1));
}

}  // namespace

// Undisturbed, 1 GB at 100 MB/s take 10 s. No byte in 30 s is curl's "lack of progress".
TEST_CASE(
    "a dead origin, path, node or uplink ends HTTP after curl's patience, a dead cache does not") {
  for (OutageScope const scope :
       {OutageScope::origin, OutageScope::path, OutageScope::node, OutageScope::uplink}) {
    CAPTURE(name(scope));
    check_ended(always_bad(Protocol::http, scope, OutageKind::dead), 30,
                history::Reason::no_progress);
  }
  check_through(always_bad(Protocol::http, OutageScope::cache, OutageKind::dead), 10);
  check_through(always_bad(Protocol::http, OutageScope::none, OutageKind::dead), 10);
}

// The starter counts the bytes of HTCondor's own transfers, whatever it sees of a plugin's: no byte
// in an hour, at the look 3,620 s after the start.
TEST_CASE("a dead path, node or uplink ends the access point's transfer by the starter's timer") {
  using enum scenario::StallTimer;
  for (OutageScope const scope : {OutageScope::path, OutageScope::node, OutageScope::uplink}) {
    for (scenario::StallTimer const timer : {silence, whole_transfer, never}) {
      CAPTURE(name(scope));
      Grid grid = always_bad(Protocol::htcondor, scope, OutageKind::dead);
      grid.strategy.transfer.stall_timer = timer;
      check_ended(grid, 3620, history::Reason::transfer_stalled);
    }
  }
  for (OutageScope const scope : {OutageScope::cache, OutageScope::origin, OutageScope::none}) {
    check_through(always_bad(Protocol::htcondor, scope, OutageKind::dead), 10);
  }
}

TEST_CASE("a slow transfer takes 1 / slow_fraction of the time by HTTP and from the access point") {
  for (OutageScope const scope : {OutageScope::origin, OutageScope::path, OutageScope::node,
                                  OutageScope::uplink, OutageScope::cache}) {
    CAPTURE(name(scope));
    double const by_http = scope == OutageScope::cache ? 10 : 100;
    double const by_htcondor =
        scope == OutageScope::cache || scope == OutageScope::origin ? 10 : 100;
    check_through(always_bad(Protocol::http, scope, OutageKind::slow), by_http);
    check_through(always_bad(Protocol::htcondor, scope, OutageKind::slow), by_htcondor);
  }
}

// 100 kB/s: 10,000 s. A timer that sees nothing of a plugin's bytes ends curl's run, not
// HTCondor's.
TEST_CASE("a timer over the whole transfer ends slow HTTP, and nothing that the starter counts") {
  for (auto const& [protocol, ends] :
       {std::pair{Protocol::http, true}, {Protocol::htcondor, false}}) {
    Grid grid = always_bad(protocol, OutageScope::uplink, OutageKind::slow, 1e-3);
    check_through(grid, 10000);
    grid.strategy.transfer.stall_timer = scenario::StallTimer::whole_transfer;
    if (ends) {
      check_ended(grid, 3620, history::Reason::transfer_stalled, 3620 * 1e5);
    } else {
      check_through(grid, 10000);
    }
  }
}

// LowSpeedLimit is 1,024 B/s: a file of 100 kB takes 200 s at 500 B/s, 50 s at 2,000 B/s.
TEST_CASE("curl gives up a trickle, HTCondor's own transfer does not") {
  auto const trickle = [](Protocol protocol, double fraction) {
    Grid grid = always_bad(protocol, OutageScope::uplink, OutageKind::slow, fraction);
    grid.campaign.input[0].size = Bytes(1e5);
    return grid;
  };
  check_ended(trickle(Protocol::http, 5e-6), 30, history::Reason::no_progress, 30 * 500);
  check_through(trickle(Protocol::http, 2e-5), 50, 1e5);
  check_through(trickle(Protocol::htcondor, 5e-6), 200, 1e5);
}

// 50 kB/s are no trickle to curl: it goes on until the bytes stop, and 30 s more.
TEST_CASE("a dead connection that is slow first ends half a minute after its last byte") {
  Grid grid = always_bad(Protocol::http, OutageScope::node, OutageKind::dead);
  grid.draw.outages.slow_before_stall = 1;
  grid.draw.outages.slow_duration = Seconds(200);
  First const first = first_transfer(grid);
  CHECK(first.reason == history::Reason::no_progress);
  CHECK(first.took > 30);
  CHECK(first.bytes == Approx((first.took - 30) * 50e3));
}

// Each path is bad half of the time. The outage hits 0.6 of the requests at such a time and no
// others. It does not depend on tries at caches. The aborts of curl are independent of it:
// 1 - 0.7 x 0.5.
TEST_CASE("a download from the origin meets an outage while one is on, and only then") {
  constexpr int jobs = 2000;
  Grid grid = quiet_grid(jobs, jobs);
  grid.strategy.transfer.protocol = Protocol::http;
  grid.draw.outages = {.scope = OutageScope::path,
                       .bad_fraction = 0.5,
                       .bad_duration = Seconds(1e12),
                       .stall_when_bad = 0.6,
                       .stall_when_quiet = 1,
                       .redraw_interval = {}};
  check_share(count(replica_of(grid).history, held, history::Reason::no_progress), jobs, 0.3);
  grid.draw.http_abort = 0.5;
  check_share(count(replica_of(grid).history, held, history::Reason::no_progress), jobs, 0.65);
}

// Each byte has the same risk: a share of 0.75 becomes 0.5 in a file of half the size.
TEST_CASE("a small direct download is aborted less often than the record's large one") {
  constexpr int jobs = 2000;
  Grid grid = quiet_grid(jobs, jobs);
  grid.strategy.transfer.protocol = Protocol::http;
  grid.draw.http_abort = 0.75;
  grid.draw.record_input = grid.campaign.input[0].size;
  auto const aborted = [&] {
    return count(replica_of(grid).history, held, history::Reason::no_progress);
  };
  check_share(aborted(), jobs, 0.75);
  grid.draw.record_input = grid.campaign.input[0].size * 2;
  check_share(aborted(), jobs, 0.5);
}

TEST_CASE("without bad periods no random number of an outage is used") {
  Grid grid = quiet_grid(50, 200);
  grid.strategy.transfer.protocol = Protocol::http;
  grid.draw.http_abort = 0.3;
  grid.site().rate_sigma = 0.5;
  engine::Replica const before = replica_of(grid);
  grid.draw.outages = {.scope = OutageScope::origin,
                       .stall_when_bad = 1,
                       .stall_when_quiet = 1,
                       .redraw_interval = {}};
  engine::Replica const after = replica_of(grid);
  REQUIRE(before.history.events.size() == after.history.events.size());
  for (std::size_t i = 0; i < before.history.events.size(); ++i) {
    CHECK(before.history.events[i].at == after.history.events[i].at);
  }
}

TEST_CASE("a transfer from the access point has no URL that hangs") {
  Grid grid = always_bad(Protocol::htcondor, OutageScope::none, OutageKind::dead);
  grid.site().url_hang = 1;
  check_through(grid, 10);
}

// One at a time: the second job's begins when the first one's is ended.
TEST_CASE("a dead transfer keeps its place at the access point") {
  Grid grid = always_bad(Protocol::htcondor, OutageScope::uplink, OutageKind::dead);
  grid.pool.sites[0].gpus = grid.site().gpus.emplace(2);
  grid.campaign.submit[0].jobs = 2;
  grid.pool.access_point.transfer_slots = 1;
  engine::Replica const replica = replica_of(grid);
  std::vector<double> took;
  for (std::size_t job : {0u, 1u}) {
    auto const events = events_of(replica.history, job);
    took.push_back((events[3].at - events[2].at).value());
  }
  std::sort(took.begin(), took.end());
  CHECK(took[0] == Approx(3620).margin(tick));
  CHECK(took[1] == Approx(7240).margin(tick));
}

}  // namespace gridcast::test
