#include "calibration/fits/fixed_age_fit.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/calibration/log_records.hpp"
#include "tests/calibration/process_fits.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/engine/timed_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;
using history::EventKind;
using history::Reason;

namespace {

/// Lives that begin an hour apart and end at these ages.
std::vector<Life> lives_to(std::vector<double> const& ages) {
  std::vector<Life> lives;
  for (double const age : ages) {
    Seconds const begin(3600.0 * static_cast<double>(lives.size()));
    lives.push_back({.begin = begin, .end = begin + Seconds(age), .ended = true, .attempts = {}});
  }
  return lives;
}

bool has(Fit const& fit, std::string const& column) { return !fit.draws.column(column).empty(); }

struct Found {
  AttemptRecords records;
  Fit ages, hazards;
};

Found found_in(Grid& grid) {
  history::JobHistory history = grid.run().history;
  for (history::JobEvent const& event : history.events) {
    while (history.slots.size() <= event.slot) {
      history.slots.push_back("slot1@" + std::to_string(history.slots.size()));
    }
  }
  Found found{make_attempt_records(history), {}, {}};
  found.ages = fixed_age_fit(history, found.records, 200, RandomStreams(1, 0));
  found.hazards = log_columns(history, found.records, {{timed::work.value()}}, 200);
  return found;
}

}  // namespace

// Four ends within 1 %: of an exponential the density of each is 1 / (e t) at most, 0.018 of all
// four; of a lognormal with s = 0.01 it is 40 / t, 2.5 million of all.
TEST_CASE("Ends at nearly one age are distinguished from ends at any") {
  CHECK(compare_ages(lives_to({10000, 9950, 10040, 9990})).log_factor > std::log(1000.));
  CHECK(compare_ages(lives_to({10000, 9950, 10040, 9990})).age == Approx(10000).epsilon(0.01));
  CHECK(compare_ages(lives_to({1000, 4000, 9000, 15000, 26000})).log_factor < 0);
  auto outlived = lives_to({10000, 9950, 10040, 9990});
  outlived.push_back({.begin = Seconds(0), .end = Seconds(20000), .attempts = {}});
  CHECK(compare_ages(outlived).log_factor < 0);
}

TEST_CASE("What began and ended together is one end") {
  auto lives = lives_to({10000, 10000, 10000, 10000});
  for (Life& life : lives) life = lives.front();
  CHECK(compare_ages(lives).log_factor < std::log(20.));
}

// Pilots of four slots live 20,000 s (s = 0.01); jobs of 30,000 s that never finish.
TEST_CASE("Pilots of a fixed life are found in what was simulated, and no job outlives them") {
  Grid grid = timed_grid(20, 20);
  grid.pool.sites[0].slots_per_pilot = 4;
  grid.draw.work = Seconds(30000);
  grid.draw.pilot_replacement = Seconds(5000);
  grid.site().pilot_death_per_second = 0;
  grid.site().pilot_life = Seconds(20000);
  grid.site().pilot_life_sigma = 0.01;
  grid.site().pilot_life_announced = 1;
  Found const found = found_in(grid);
  CHECK(line(found.ages, "pilot_life_s.site").estimate == Approx(20000).epsilon(0.01));
  REQUIRE(found.ages.tests.size() == 1);
  CHECK(found.ages.tests[0].p_value < 0.05);
  auto const told = found.ages.draws.column("pilot_life_announced.site");
  CHECK(*std::min_element(told.begin(), told.end()) > 0.8);
  CHECK_FALSE(has(found.hazards, "pilot_kill_per_s.site"));
  CHECK(line(found.hazards, "evict_per_s.site").events == 0);
}

TEST_CASE("Pilots that die at any age have no fixed life") {
  Grid grid = timed_grid(20, 200);
  grid.pool.sites[0].slots_per_pilot = 4;
  grid.site().pilot_death_per_second = 1 / 5000.0;
  Found const found = found_in(grid);
  CHECK_FALSE(has(found.ages, "pilot_life_s.site"));
  CHECK(line(found.hazards, "pilot_death_per_s.site").events > 10);
}

TEST_CASE("Evictions after a fixed time are no hazard") {
  Grid grid = timed_grid(5, 40);
  grid.site().evict_after = Seconds(700);
  grid.site().evict_sigma = 0.01;
  grid.draw.job_sigma = 0.3;
  grid.draw.execution_sigma = 0.5;
  Found const found = found_in(grid);
  CHECK(line(found.ages, "evict_after_s.site").estimate == Approx(700).epsilon(0.02));
  CHECK(line(found.hazards, "evict_per_s.site").events == 0);
  CHECK_FALSE(has(found.ages, "pilot_life_s.site"));
}

TEST_CASE("Evictions at any time of a claim stay a hazard") {
  Grid grid = timed_grid(20, 200);
  grid.site().evict_per_second = 1 / 1000.0;
  Found const found = found_in(grid);
  CHECK_FALSE(has(found.ages, "evict_after_s.site"));
  CHECK(line(found.hazards, "evict_per_s.site").events > 50);
}

}  // namespace gridcast::calibration
