#include "calibration/fits/slot_fit.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/statistics.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

namespace {

constexpr std::size_t slot_draws = 2000;

SlotCount seen(std::string const& site, int slots, int slots_per_pilot, bool saturated = false) {
  SlotCount count{site};
  count.slots = slots;
  count.slots_per_pilot = slots_per_pilot;
  count.saturated = saturated;
  return count;
}

/// Large, so that whole pilots hardly show; small, of pilots of two; and one where jobs waited.
Fit some_fit(SlotsThere there = SlotsThere::at_least_seen) {
  return slot_fit({seen("LARGE", 10000, 1), seen("SMALL", 5, 2), seen("FULL", 7, 1, true)}, there,
                  slot_draws, RandomStreams(1, 0));
}

Estimate const& line_named(Fit const& fit, std::string const& name) {
  auto const found = std::find_if(fit.estimates.begin(), fit.estimates.end(),
                                  [&](Estimate const& line) { return line.name == name; });
  REQUIRE(found != fit.estimates.end());
  return *found;
}

}  // namespace

// P(f <= x) = (1 - 1 / x) / (1 - 1 / 20), so that x = 1 / (1 - 0.95 p).
TEST_CASE("Without waiting jobs, the slots are the number seen times a Pareto factor") {
  CHECK(times_seen(0) == 1);
  CHECK(times_seen(1) == Approx(20));
  Fit const fit = some_fit();
  auto const large = fit.draws.column("slots.LARGE");
  REQUIRE(large.size() == slot_draws);
  CHECK(quantile(large, 0.5) / 10000 == Approx(1 / (1 - 0.5 * (1 - 1. / 20))).epsilon(0.002));
  CHECK(*std::min_element(large.begin(), large.end()) >= 10000);
  CHECK(*std::max_element(large.begin(), large.end()) <= 200000);
  Estimate const& line = line_named(fit, "slots.LARGE");
  CHECK(line.estimate == 10000);
  CHECK(line.interval90.low / 10000 == Approx(1 / (1 - 0.05 * 0.95)).epsilon(0.002));
  CHECK(line.interval90.high / 10000 == Approx(1 / (1 - 0.95 * 0.95)).epsilon(0.01));
  REQUIRE(fit.not_identified.size() == 2);
  CHECK(fit.not_identified[0].what == "slots.LARGE");
  CHECK(fit.not_identified[0].taken_from == "1 to 20 times the most in use");
}

TEST_CASE("One factor for all sites whose slots are not known, in whole pilots") {
  Fit const fit = some_fit();
  auto const large = fit.draws.column("slots.LARGE"), small = fit.draws.column("slots.SMALL");
  for (std::size_t i = 0; i < slot_draws; ++i) {
    double const beyond = (large[i] / 10000 - 1) * 5;
    CAPTURE(beyond, small[i]);
    CHECK(std::fmod(small[i] - 5, 2) == 0);
    CHECK(std::abs(small[i] - 5 - beyond) <= 1.001);
  }
}

TEST_CASE("Slots that jobs waited for, or of a pool that is known, are as many as were seen") {
  std::vector<double> const seven(slot_draws, 7), five(slot_draws, 5);
  CHECK(some_fit().draws.column("slots.FULL") == seven);
  CHECK(line_named(some_fit(), "slots.FULL").interval90.high == 7);
  Fit const known = some_fit(SlotsThere::as_seen);
  CHECK(known.draws.column("slots.SMALL") == five);
  CHECK(known.draws.column("slots.FULL") == seven);
}

}  // namespace gridcast::calibration
