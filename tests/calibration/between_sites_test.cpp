#include "calibration/between_sites.hpp"

#include <cmath>

#include "sim/base/statistics.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

struct Draws {
  std::vector<double> centers;
  std::vector<double> spreads;
};

Draws draws(SiteSpread const& spread) {
  Draws all;
  RandomStream stream = test_stream(1);
  for (int i = 0; i < 4000; ++i) {
    SiteSpread::Draw const draw = spread.draw(stream);
    all.centers.push_back(draw.center);
    all.spreads.push_back(draw.spread);
  }
  return all;
}

}  // namespace

TEST_CASE("Sites that agree leave a small spread, sites that differ a large one") {
  Draws const alike =
      draws(SiteSpread({2.0, 2.01, 1.99, 2.0, 2.02, 1.98}, std::vector<double>(6, 1e-4)));
  Draws const apart =
      draws(SiteSpread({1.0, 3.0, 2.0, 1.5, 2.5, 2.0}, std::vector<double>(6, 1e-4)));
  CHECK(median(alike.spreads) < 0.1);
  CHECK(median(apart.spreads) > 0.5);
  CHECK(median(alike.centers) == Approx(2).margin(0.03));
  CHECK(median(apart.centers) == Approx(2).margin(0.1));
}

TEST_CASE("One site says nothing of the spread: its prior stays") {
  Draws const one = draws(SiteSpread({5.0}, {0.01}));
  // Half-normal(1): median 0.6745.
  CHECK(median(one.spreads) == Approx(0.6745).margin(0.05));
  CHECK(median(one.centers) == Approx(5).margin(0.1));
}

TEST_CASE("The spread is never nothing") {
  for (double const spread : draws(SiteSpread({1, 1, 1}, {0.1, 0.1, 0.1})).spreads) {
    CHECK(spread > 0);
  }
}

}  // namespace gridcast::calibration
