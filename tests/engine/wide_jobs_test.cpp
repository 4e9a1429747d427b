// Jobs of several slots, and limits of concurrency, by closed forms on the quiet grid (a job takes
// 10 s of transfer and 1,000 s of execution).
#include "sim/ledger/ledger.hpp"
#include "tests/engine/events.hpp"
#include "tests/engine/quiet_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

using enum history::EventKind;

/// The most jobs that run at a time, each counted with its slots.
int most_slots(Grid const& grid, history::JobHistory const& history) {
  std::vector<int> slots;
  for (scenario::Submission const& each : grid.campaign.submit) {
    slots.insert(slots.end(), static_cast<std::size_t>(each.jobs), each.slots);
  }
  int now = 0, most = 0;
  for (history::JobEvent const& event : history.events) {
    int const of_job = slots[event.job.index()];
    if (event.kind == executing) most = std::max(most, now += of_job);
    if (event.kind == terminated) now -= of_job;
  }
  return most;
}

double end_of(history::JobHistory const& history) { return history.events.back().at.value(); }

TEST_CASE("Jobs of two slots run two at a time on five, and the fifth is left for a narrow one") {
  Grid grid = quiet_grid(5, 1);
  grid.campaign.submit = {{Seconds(0), 6}, {Seconds(0), 3}};
  grid.campaign.submit[0].slots = 2;
  auto const history = grid.run().history;
  CHECK(ledger::account(history).total.succeeded == 9);
  CHECK(most_slots(grid, history) == 5);
  CHECK(end_of(history) == Approx(3 * 1010).margin(10));
}

TEST_CASE("A job as wide as the site runs alone, after those before it") {
  Grid grid = quiet_grid(4, 1);
  grid.campaign.submit = {{Seconds(0), 4}, {Seconds(10), 1}, {Seconds(2000), 1}};
  grid.campaign.submit[1].slots = 4;
  auto const history = grid.run().history;
  CHECK(most_slots(grid, history) == 4);
  auto const wide = times(events_of(history, 4), executing);
  REQUIRE(wide.size() == 1);
  CHECK(wide[0].value() == Approx(1020).margin(5));
  CHECK(times(events_of(history, 5), executing)[0].value() == Approx(2030).margin(5));
}

TEST_CASE("Slots beside a job are free again after an attempt that fails") {
  Grid grid = quiet_grid(3, 1);
  grid.campaign.submit = {{Seconds(0), 2}};
  grid.campaign.submit[0].slots = 3;
  policy_of(grid).periodic_remove =
      classad::parse("ProcId == 0 && CurrentTime - JobCurrentStartExecutingDate > 60");
  auto const history = grid.run().history;
  CHECK(ledger::account(history).total.succeeded == 1);
  CHECK(end_of(history) < 1200);
}

TEST_CASE("A pilot's end frees and takes slots beside jobs without losing any") {
  Grid grid = quiet_grid(4, 40);
  grid.campaign.submit[0].slots = 2;
  grid.pool.pilots.walltime = Seconds(5000);
  grid.pool.pilots.replacement = Seconds(100);
  CHECK(ledger::account(grid.run().history).total.succeeded == 40);
}

TEST_CASE("A limit of concurrency holds jobs back; others have no effect") {
  Grid grid = quiet_grid(8, 12);
  grid.pool.negotiator.concurrency_limits = {{"License", 6}, {"other", 1}};
  auto const most = [&grid](std::string const& limits) {
    grid.campaign.request.concurrency_limits = limits;
    auto const history = grid.run().history;
    CHECK(ledger::account(history).total.succeeded == 12);
    return most_slots(grid, history);
  };
  CHECK(most("") == 8);
  CHECK(most("unknown") == 8);
  CHECK(most("license") == 6);
  CHECK(most("LICENSE:2, unknown") == 3);
  CHECK(most("license:2,other") == 1);
}

TEST_CASE("Slots that a limit left free are taken as soon as it allows") {
  Grid grid = quiet_grid(8, 12);
  grid.pool.negotiator.concurrency_limits = {{"license", 4}};
  grid.campaign.request.concurrency_limits = "license";
  CHECK(end_of(grid.run().history) == Approx(3 * 1010).margin(10));
}

}  // namespace
}  // namespace gridcast::test
