// How long a campaign takes, where that is simple arithmetic.
#include "sim/ledger/ledger.hpp"
#include "tests/engine/quiet_grid.hpp"
#include "tests/model/closed_form.hpp"

namespace gridcast::test {

namespace {

double makespan(Grid const& grid) {
  return in_child(
      [&] { return std::vector{ledger::account(grid.run().history).makespan.value().value()}; })[0];
}

}  // namespace

// A slot is held while its input comes: n jobs on c slots take ceil(n / c) rounds of transfer and
// execution. A model of actions that hold a core only to compute would overlap the transfers of one
// round with the execution of the last (reference/performance.md measured one that does).
TEST_CASE("slots are held while their input comes") {
  for (int const jobs : {1, 40, 41, 400}) {
    Grid grid = quiet_grid(40, jobs);
    grid.site().stream_limit = input_size / Seconds(499.5);  // half a second ends before each cycle
    double const rounds = std::ceil(jobs / 40.0);
    CHECK(makespan(grid) == Approx(1 + rounds * (500 + execution.value()) - 0.5));
  }
}

// Shadows start one after the other.
TEST_CASE("shadow starts are spaced") {
  Grid grid = quiet_grid(50, 50);
  grid.pool.access_point.shadow_start_interval = Seconds(2);
  CHECK(makespan(grid) == Approx(1 + 49 * 2 + 10 + execution.value()));
}

TEST_CASE("jobs are matched at the next cycle") {
  Grid grid = quiet_grid(1, 2);
  grid.pool.negotiator.interval = Seconds(60);
  // 60 + 1010 = 1070, the second starts at 1080.
  CHECK(makespan(grid) == Approx(1080 + 10 + execution.value()));
}

TEST_CASE("a job that runs too long is held at the limit") {
  Grid grid = quiet_grid(1, 1);
  grid.pool.access_point.max_execution = Seconds(900);
  double const end = makespan(grid);
  CHECK(end >= 1 + 10 + 900);
  CHECK(end <= 1 + 10 + 900 + 60);  // found by a periodic expression
}

}  // namespace gridcast::test
