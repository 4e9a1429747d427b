#include "sim/engine/factory.hpp"

#include <algorithm>

#include "tests/engine/events.hpp"
#include "tests/engine/timed_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

/// The most jobs that are at a time in a state, which some kinds of events begin and others end.
int most(history::JobHistory const& history, std::vector<history::EventKind> const& begin,
         std::vector<history::EventKind> const& end) {
  int now = 0, most = 0;
  for (std::size_t i = 0; i < history.events.size(); ++i) {
    auto const is = [&](auto const& kinds) {
      return std::find(kinds.begin(), kinds.end(), history.events[i].kind) != kinds.end();
    };
    now += is(begin) - is(end);
    most = std::max(most, now);
  }
  return most;
}

using enum history::EventKind;

}  // namespace

TEST_CASE("max_materialize limits the jobs in the queue") {
  Grid grid = GENERATE(false, true) ? timed_grid(4, 30) : quiet_grid(4, 30);
  grid.campaign.max_materialize = 6;
  history::JobHistory const history = grid.run().history;
  CHECK(count(history, terminated) == 30);
  CHECK(most(history, {submitted}, {terminated}) == 6);
}

TEST_CASE("max_idle limits the idle jobs, and jobs are made as others start") {
  Grid grid = GENERATE(false, true) ? timed_grid(4, 30) : quiet_grid(4, 30);
  grid.campaign.max_idle = 3;
  history::JobHistory const history = grid.run().history;
  CHECK(count(history, terminated) == 30);
  CHECK(most(history, {submitted}, {matched}) == 3);
}

// Held jobs stay in the queue and are not running. When they fill it, no other job is made.
TEST_CASE("jobs held for good keep their places in the queue") {
  Grid grid = timed_grid(2, 20);
  grid.site().url_failure = 1;
  grid.strategy.retry.on_transfer_failure = scenario::OnTransferFailure::hold;
  nobody_releases(grid);
  auto& limit = GENERATE(false, true) ? grid.campaign.max_materialize : grid.campaign.max_idle;
  limit = 3;
  history::JobHistory const history = grid.run().history;
  std::size_t const running_when_full = &limit == &grid.campaign.max_idle ? 2 : 0;
  CHECK(count(history, held) <= 3 + running_when_full);
  CHECK(count(history, held) >= 3);
  CHECK(count(history, submitted) == count(history, held));
  CHECK(history.end() < Seconds(86400));
}

TEST_CASE("a job on hold lets no other job be made until its release") {
  scenario::Campaign campaign;
  campaign.max_idle = 1;
  engine::Factory factory(campaign);
  factory.add(0, 0, 2);
  CHECK(factory.next());
  auto const changed = [&](history::JobStatus before, history::JobStatus now) {
    factory.counts(0).changed(before, now);
  };
  factory.counts(0).entered();
  using enum history::JobStatus;
  changed(idle, running);
  changed(running, history::JobStatus::held);
  CHECK_FALSE(factory.next());
  CHECK(factory.blocked().empty());
  changed(history::JobStatus::held, idle);
  changed(idle, running);
  CHECK(factory.next());
}

TEST_CASE("a submission behind the horizon is removed at the horizon") {
  Grid grid = quiet_grid(1, 1);
  grid.campaign.submit.push_back({Seconds(3e9), 20});
  if (GENERATE(false, true)) grid.campaign.max_materialize = 3;
  engine::ReplicaOptions options;
  options.horizon = Seconds(86400);
  history::JobHistory const history = grid.run(0, options).history;
  CHECK(count(history, submitted) == 21);
  CHECK(count(history, terminated) == 1);
  CHECK(count(history, aborted) == 20);
  CHECK(history.end() == Seconds(86400));
}

TEST_CASE("the horizon counts from the first submission") {
  Grid grid = quiet_grid(1, 1);
  grid.campaign.submit = {{Seconds(3e9), 1}, {Seconds(2e9), 1}, {Seconds(), 1}};
  grid.campaign.submit[0].name = "first";
  grid.campaign.submit[2].after = {"first"};
  engine::ReplicaOptions options;
  options.horizon = Seconds(86400);
  history::JobHistory const history = grid.run(0, options).history;
  CHECK(count(history, terminated) == 1);  // that of 2e9 s
  CHECK(history.end() == Seconds(2e9 + 86400));
}

TEST_CASE("without limits all jobs of a submission are made at once") {
  engine::Factory factory(scenario::Campaign{});
  CHECK_FALSE(factory.limited());
  factory.add(0, 5, 2);
  factory.counts(0) = {1000, 1000};
  CHECK(factory.next() == Id<history::Job>(5));
  CHECK(factory.next() == Id<history::Job>(6));
  CHECK_FALSE(factory.next());
}

}  // namespace gridcast::test
