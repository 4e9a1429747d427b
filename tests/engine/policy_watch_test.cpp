// A job's own policy in the engine, whether matches are simulated or take a known time: the
// expressions, the limits, the exits.
#include "sim/engine/job_ad.hpp"
#include "tests/engine/events.hpp"
#include "tests/engine/timed_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

using enum history::EventKind;

history::JobEvent first(std::vector<history::JobEvent> const& events, history::EventKind kind) {
  for (history::JobEvent const& event : events) {
    if (event.kind == kind) return event;
  }
  return {};
}

/// Held for every input, and nobody releases.
Grid failing(bool timed) {
  if (!timed) {
    Grid grid = quiet_grid(1, 1);
    grid.draw.spurious_404 = 1;
    return grid;
  }
  Grid grid = timed_grid(1, 1);
  grid.site().url_failure = 1;
  grid.strategy.retry.on_transfer_failure = scenario::OnTransferFailure::hold;
  nobody_releases(grid);
  return grid;
}

Grid working(bool timed) {
  Grid grid = timed ? timed_grid(1, 1) : quiet_grid(1, 1);
  nobody_releases(grid);
  return grid;
}

}  // namespace

TEST_CASE("periodic_release releases a job at the first look after its time") {
  bool const is_timed = GENERATE(false, true);
  Grid grid = failing(is_timed);
  policy_of(grid).periodic_release = classad::parse(
      "HoldReasonCode == 13 && NumHolds < 3 && time() - EnteredCurrentStatus > 1200");
  auto const events = events_of(grid.run().history, 0);
  REQUIRE(count(grid.run().history, held) == 3);
  CHECK(count(grid.run().history, released, history::Reason::policy) == 2);
  CHECK(events.back().kind == held);
  double const was = first(events, held).at.value(), is = first(events, released).at.value();
  CHECK(is == 60 * std::ceil(is / 60));
  CHECK(is - was > 1200);
  CHECK(is - was <= 1200 + 61);  // times in the ad are whole seconds
}

TEST_CASE("periodic_remove takes a job out of the queue, held, idle or running") {
  bool const is_timed = GENERATE(false, true);
  Grid grid = failing(is_timed);
  policy_of(grid).periodic_remove =
      classad::parse("JobStatus == 5 && CurrentTime - EnteredCurrentStatus > 3600");
  auto events = events_of(grid.run().history, 0);
  CHECK(events.back().kind == aborted);
  CHECK(events.back().reason == history::Reason::policy);

  grid = working(is_timed);
  policy_of(grid).periodic_remove = classad::parse("CurrentTime - QDate > 500");
  events = events_of(grid.run().history, 0);
  CHECK(events.back().kind == aborted);
  CHECK(events.back().at == Seconds(540));
  CHECK(events.back().site.valid());  // it was running

  grid.campaign.submit = {{Seconds(0), 2}};
  events = events_of(grid.run().history, 1);
  CHECK(kinds(events) == std::vector{submitted, aborted});
  CHECK_FALSE(events.back().site.valid());
}

TEST_CASE("periodic_hold frees the slot for the next job") {
  bool const is_timed = GENERATE(false, true);
  Grid grid = working(is_timed);
  grid.campaign.submit = {{Seconds(0), 2}};
  policy_of(grid).periodic_hold =
      classad::parse("JobStatus == 2 && ProcId == 0 && time() - JobCurrentStartDate > 100");
  policy_of(grid).periodic_hold_subcode = 42;
  history::JobHistory const history = grid.run().history;
  auto const events = events_of(history, 0);
  CHECK(events.back().kind == held);
  CHECK(events.back().reason == history::Reason::policy);
  CHECK(events.back().code == 3);
  CHECK(events.back().subcode == 42);
  auto const other = events_of(history, 1);
  CHECK(other.back().kind == terminated);
  CHECK((first(other, matched).at - events.back().at).value() <= 3);
}

TEST_CASE("periodic_vacate sends a running job back to the queue") {
  bool const is_timed = GENERATE(false, true);
  Grid grid = working(is_timed);
  policy_of(grid).periodic_vacate = classad::parse("NumJobStarts == 1");
  auto const events = events_of(grid.run().history, 0);
  CHECK(first(events, evicted).reason == history::Reason::policy);
  CHECK(count(grid.run().history, evicted) == 1);
  CHECK(events.back().kind == terminated);
}

TEST_CASE("a job that takes longer than allowed is held, code 47 or 46") {
  bool const is_timed = GENERATE(false, true);
  Grid grid = working(is_timed);
  policy_of(grid).allowed_execute_duration = Seconds(100);
  auto events = events_of(grid.run().history, 0);
  CHECK(events.back().kind == held);
  CHECK(events.back().reason == history::Reason::execution_too_long);
  double const ran = (events.back().at - first(events, executing).at).value();
  CHECK(ran >= 100);
  CHECK(ran <= 160);
  policy_of(grid).allowed_execute_duration.reset();
  policy_of(grid).allowed_job_duration = Seconds(100);
  events = events_of(grid.run().history, 0);
  CHECK(events.back().reason == history::Reason::job_too_long);
  CHECK((events.back().at - first(events, matched).at).value() <= 160);
}

TEST_CASE("allowed_execute_duration counts from the last checkpoint") {
  Grid grid = timed_grid(1, 1);
  policy_of(grid).checkpoint_every_epochs = 1;
  policy_of(grid).allowed_execute_duration = Seconds(300);
  CHECK(events_of(grid.run().history, 0).back().kind == terminated);
}

TEST_CASE("on_exit_hold holds jobs that did not end well") {
  bool const is_timed = GENERATE(false, true);
  Grid grid = working(is_timed);
  policy_of(grid).on_exit_hold = classad::parse("ExitCode =!= 0");
  if (is_timed) {
    grid.site().crash = 1;
  } else {
    grid.draw.corrupt_input = 1;
  }
  auto const events = events_of(grid.run().history, 0);
  CHECK(events.back().kind == held);
  CHECK(events.back().reason == history::Reason::policy);
}

TEST_CASE("max_retries runs a bad result again") {
  Grid grid = quiet_grid(1, 1);
  grid.draw.corrupt_input = 1;
  policy_of(grid).max_retries = 2;
  history::JobHistory const history = grid.run().history;
  CHECK(count(history, requeued) == 2);
  CHECK(events_of(history, 0).back().kind == terminated);
  CHECK_FALSE(events_of(history, 0).back().useful);
}

TEST_CASE("a dead pilot's job can be removed before its lease runs out") {
  Grid grid = timed_grid(1, 1);
  grid.site().pilot_death_per_second = 1 / 300.0;
  policy_of(grid).periodic_remove = classad::parse("NumShadowStarts >= 1 && time() - QDate > 900");
  engine::Replica const replica = grid.run(3);
  auto const events = events_of(replica.history, 0);
  REQUIRE(first(events, disconnected).kind == disconnected);
  CHECK(events.back().kind == aborted);
  CHECK(replica.audit.dead_leases == events.back().at - first(events, disconnected).at);
}

}  // namespace gridcast::test
