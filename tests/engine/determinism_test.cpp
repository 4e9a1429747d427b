// The same arguments give the same bytes, whatever the process has simulation before.
#include "sim/ledger/ledger.hpp"
#include "tests/engine/events.hpp"
#include "tests/engine/random_grid.hpp"
#include "tests/engine/timed_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

bool same_bytes(history::JobHistory const& a, history::JobHistory const& b) {
  auto const same = [](history::JobEvent const& x, history::JobEvent const& y) {
    return x.at == y.at && x.job == y.job && x.kind == y.kind && x.reason == y.reason &&
           x.site == y.site && x.slot == y.slot && x.useful == y.useful;
  };
  return a.jobs == b.jobs && a.sites == b.sites &&
         std::equal(a.events.begin(), a.events.end(), b.events.begin(), b.events.end(), same);
}

/// The executions that a job's first run on a site would take, as the streams have it.
std::vector<Seconds> first_executions(history::JobHistory const& history) {
  std::vector<Seconds> time(history.jobs.size());
  for (std::size_t job = 0; job < time.size(); ++job) {
    auto const events = events_of(history, job);
    auto const started = times(events, history::EventKind::executing);
    auto const ended = times(events, history::EventKind::transfer_output_started);
    if (started.size() == 1 && ended.size() == 1) time[job] = ended[0] - started[0];
  }
  return time;
}

}  // namespace

TEST_CASE("a replica is the same each time, after any other simulation") {
  for (std::uint32_t number = 0; number < 60; ++number) {
    INFO("grid " << number);
    Grid const grid = random_grid(number);
    history::JobHistory const first = grid.run(number).history;
    timed_grid(3, 7 + static_cast<int>(number)).run();  // another campaign in between
    CHECK(same_bytes(first, grid.run(number).history));
  }
}

TEST_CASE("another replica or another seed is another history") {
  Grid const grid = random_grid(1);
  history::JobHistory const one = grid.run(1).history;
  CHECK_FALSE(same_bytes(one, grid.run(2).history));
  engine::Replica const other_seed =
      engine::simulate(grid.pool, grid.campaign, grid.strategy, grid.draw, RandomStreams(2, 1));
  CHECK_FALSE(same_bytes(one, other_seed.history));
}

// Common random numbers: what a job computes does not depend on how its input came.
TEST_CASE("a job's execution is the same draw under every strategy") {
  Grid grid = quiet_grid(5, 40);
  grid.site().epoch = {Family::lognormal, 0.5, 1000, 0};
  grid.draw.outages.stall_when_quiet = 0.3;
  grid.site().rate_sigma = 0.1;
  auto const published = first_executions(grid.run().history);
  grid.strategy.transfer.stall_timeout = Seconds(30);
  grid.strategy.retry = {scenario::OnTransferFailure::cool_down, Seconds(300), Seconds(600), 20};
  auto const other = first_executions(grid.run().history);
  REQUIRE(published.size() == other.size());
  for (std::size_t job = 0; job < published.size(); ++job) {
    // Each is a difference of two times on ticks of a microsecond.
    CHECK(published[job].value() == Approx(other[job].value()).epsilon(0).margin(2e-6));
  }
  CHECK(published[0] != published[1]);
}

}  // namespace gridcast::test
