// Rules of failures that a campaign as a whole shows only now and then, one at a time.
#include <algorithm>
#include <cmath>

#include "tests/engine/events.hpp"
#include "tests/engine/timed_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

// curl waits 30 s for a byte, then exits with a code that HTCondor takes as final.
TEST_CASE("a direct download that is aborted holds the job half a minute after its last byte") {
  Grid grid = quiet_grid(1, 1);
  grid.strategy.transfer.protocol = scenario::Protocol::http;
  grid.draw.http_abort = 1;
  engine::ReplicaOptions options;
  options.network = engine::NetworkModel::fast;
  for (std::uint32_t replica = 0; replica < 5; ++replica) {
    engine::Replica const done = grid.run(replica, options);
    auto const events = events_of(done.history, 0);
    CHECK(events.back().kind == history::EventKind::held);
    CHECK(events.back().reason == history::Reason::no_progress);
    CHECK(count(done.history, history::EventKind::shadow_exception) == 0);
    Seconds const start = times(events, history::EventKind::transfer_input_started)[0];
    Seconds const bytes_come = done.audit.bytes_delivered / BytesPerSecond(100e6);
    CHECK((events.back().at - start - bytes_come).value() == Approx(30).margin(1e-3));
  }
}

namespace {

/// One job, which nobody releases, on one slot where every transfer fails, and is tried again at
/// once.
Grid failing_grid() {
  Grid grid = timed_grid(1, 1);
  grid.site().url_failure = 1;
  grid.strategy.retry = {scenario::OnTransferFailure::cool_down, Seconds(10), Seconds(10), 3, {}};
  nobody_releases(grid);
  grid.pool.negotiator.interval = Seconds(1);
  return grid;
}

/// The same, where no transfer brings a byte.
Grid silent_grid() {
  Grid grid = failing_grid();
  grid.site().url_failure = 0;
  grid.site().url_hang = 1;
  return grid;
}

/// From the job's second failure to the match after it, s.
double away_after_two(Grid const& grid) {
  auto const events = events_of(grid.run().history, 0);
  auto const failed = times(events, history::EventKind::shadow_exception);
  auto const matched = times(events, history::EventKind::matched);
  REQUIRE(matched.size() >= 3);
  CHECK((matched[1] - failed[0]).value() < 60);
  return (matched[2] - failed[1]).value();
}

}  // namespace

// The clocks of a stall: the stall timer and the clients' timeouts of a connection, of caches or of
// curl, all of which wait for bytes. A plugin's error is none.
TEST_CASE("a site is avoided after stalls there, not after other failures") {
  auto const away = [](Grid grid) {
    grid.strategy.match = {2, hours(2)};
    return away_after_two(grid);
  };
  auto const two_hours = Approx(hours(2).value() + 30).margin(30);
  CHECK(away(failing_grid()) < 60);
  Grid grid = silent_grid();
  CHECK(away(grid) == two_hours);
  grid.strategy.transfer.on_stall = scenario::OnStall::next_cache;
  CHECK(away(grid) == two_hours);
}

TEST_CASE("a site is avoided after so many failed transfers") {
  Grid grid = failing_grid();
  grid.strategy.match = {{}, hours(2), 2};
  auto const events = events_of(grid.run().history, 0);
  auto const failed = times(events, history::EventKind::shadow_exception);
  auto const matched = times(events, history::EventKind::matched);
  REQUIRE(matched.size() == 4);
  CHECK((matched[1] - failed[0]).value() < 60);
  CHECK((matched[2] - failed[1]).value() >= hours(2).value());
  CHECK((matched[2] - failed[1]).value() < hours(2).value() + 60);
  CHECK((matched[3] - failed[2]).value() < 60);
}

// The published policy: 300 to 600 s, four times, and the fifth failure holds; with an error that
// stays, the first one does.
TEST_CASE("a plugin's error that stays holds at once where others cool down") {
  for (double const share : {0., 1.}) {
    CAPTURE(share);
    Grid grid = timed_grid(1, 1);
    grid.site().url_failure = 1;
    grid.draw.permanent_failure = share;
    grid.strategy.retry = {scenario::OnTransferFailure::cool_down, Seconds(10), Seconds(10), 4, {}};
    nobody_releases(grid);
    auto const events = events_of(grid.run().history, 0);
    CHECK(times(events, history::EventKind::shadow_exception).size() == (share > 0 ? 0 : 4));
    auto const held = std::find_if(events.begin(), events.end(), [](auto const& event) {
      return event.kind == history::EventKind::held;
    });
    REQUIRE(held != events.end());
    CHECK(held->code == 13);
    CHECK(held->subcode == (share > 0 ? 256 : 2816));
  }
}

// glideinWMS keeps 490 s of the walltime back, and up to a tenth of what is left beyond ten hours:
// a job that outlasts its pilots is evicted at walltime - 490 s - 0.1 (walltime - 490 s - 10 h) u.
TEST_CASE("pilots die up to a tenth of their retirement time before their end") {
  constexpr int slots = 400;
  Grid grid = quiet_grid(slots, slots);
  grid.pool.pilots = {.walltime = hours(20), .min_remaining = Seconds(0), .replacement = days(100)};
  grid.site().epoch = always(hours(19.9));
  auto const history = grid.run().history;
  double const full = hours(20).value() - 490, spread = 0.1 * (full - 36000);
  double sum = 0;
  int evicted = 0;
  for (history::JobEvent const& event : history.events) {
    if (event.kind != history::EventKind::evicted || event.at > days(1)) continue;
    ++evicted;
    sum += event.at.value();
    CHECK(event.at.value() >= full - spread - 1);
    CHECK(event.at.value() <= full + 1);
  }
  REQUIRE(evicted == slots);
  // Uniform: the mean has a standard error of spread / sqrt(12 n); five of them.
  CHECK(sum / slots == Approx(full - spread / 2).margin(5 * spread / std::sqrt(12.0 * slots)));
}

// With a walltime of two hours glideinWMS leaves jobs 7,200 - 1,156 s, so that retirement begins
// 666 s after the start and spreads by a tenth of that: no pilot outlives its walltime.
TEST_CASE("a pilot of a short walltime keeps less time for jobs") {
  constexpr int slots = 100;
  Grid grid = quiet_grid(slots, slots);
  grid.pool.pilots = {.walltime = hours(2), .min_remaining = Seconds(0), .replacement = days(100)};
  grid.site().epoch = always(hours(5));
  int evicted = 0;  // in the first pilots
  for (history::JobEvent const& event : grid.run().history.events) {
    if (event.kind != history::EventKind::evicted || event.at > hours(3)) continue;
    ++evicted;
    CHECK(event.at.value() >= 6710 - 66.6 - 1);
    CHECK(event.at.value() <= 6710 + 1);
  }
  CHECK(evicted == slots);
}

}  // namespace gridcast::test
