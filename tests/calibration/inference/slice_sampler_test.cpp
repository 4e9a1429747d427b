#include "calibration/inference/slice_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/statistics.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

TEST_CASE("Slice sampling draws from the density, whatever the widths") {
  for (double const width : {0.5, 1.0, 40.0}) {
    CAPTURE(width);
    SliceSampler sampler(
        [](std::vector<double> const& x, std::size_t) {
          if (x[1] <= 0) return -HUGE_VAL;
          return -(x[0] - 5) * (x[0] - 5) / 8 - x[1];  // N(5, 2^2), Exp(1)
        },
        {0, 1}, {width, width}, test_stream(3));
    auto const draws = sampler.draws(4000, width < 1 ? 8 : 2);
    REQUIRE(draws.size() == 4000);
    std::vector<double> normal, exponential;
    for (auto const& draw : draws) normal.push_back(draw[0]), exponential.push_back(draw[1]);
    CHECK(mean(normal) == Approx(5).margin(0.25));
    CHECK(standard_deviation(normal) == Approx(2).margin(0.15));
    CHECK(mean(exponential) == Approx(1).margin(0.12));
    CHECK(quantile(exponential, 0.9) == Approx(std::log(10.0)).margin(0.25));
    CHECK(*std::min_element(exponential.begin(), exponential.end()) > 0);
  }
}

// A centre ~ N(0, 5^2) and ten that lie within 0.01 of it: one at a time they hardly move; together
// they have the centre's own spread, of which 300 draws show 4 %.
TEST_CASE("Coordinates that hold one another back are moved together") {
  std::size_t const around = 10;
  auto const density = [](std::vector<double> const& x, std::size_t) {
    double sum = -x[0] * x[0] / 50;
    for (std::size_t i = 1; i < x.size(); ++i) {
      sum -= (x[i] - x[0]) * (x[i] - x[0]) / (2 * 0.01 * 0.01);
    }
    return sum;
  };
  auto const spread = [&](bool together) {
    SliceSampler sampler(density, std::vector<double>(around + 1, 1),
                         std::vector<double>(around + 1, 1), test_stream(4));
    if (together) {
      std::vector<std::size_t> all(around + 1);
      std::iota(all.begin(), all.end(), 0);
      sampler.move_together(all);
    }
    std::vector<double> centres;
    for (auto const& draw : sampler.draws(300, 2)) {
      centres.push_back(draw[0]);
      for (double const x : draw) REQUIRE(std::abs(x - draw[0]) < 0.06);
    }
    return standard_deviation(centres);
  };
  CHECK(spread(true) == Approx(5).epsilon(0.2));
  CHECK(spread(false) < 1);
}

// exp(x) + exp(y) = 1, to a thousandth, with any share of exp(x) as likely as any other in its
// logit from -6 to 6: along one coordinate alone nothing gets around the corner.
TEST_CASE("The sampler draws evenly from a density along a curve") {
  auto const logit = [](std::vector<double> const& x) { return x[0] - x[1]; };
  auto const density = [&](std::vector<double> const& x, std::size_t) {
    double const off = std::log(std::exp(x[0]) + std::exp(x[1])) / 1e-3;
    return std::abs(logit(x)) < 6 ? -off * off / 2 : -HUGE_VAL;
  };
  SliceSampler sampler(density, {std::log(0.5), std::log(0.5)}, {1, 1}, test_stream(6));
  sampler.move_along(
      [&](std::vector<double> x, double by) {
        double const whole = std::log(std::exp(x[0]) + std::exp(x[1])), to = logit(x) + by;
        return std::vector<double>{whole - std::log1p(std::exp(-to)),
                                   whole - std::log1p(std::exp(to))};
      },
      4, 0);
  std::vector<double> logits;
  for (auto const& draw : sampler.draws(300, 2)) logits.push_back(logit(draw));
  for (double const p : {0.1, 0.5, 0.9}) {
    CHECK(quantile(logits, p) == Approx(12 * p - 6).margin(5 * 12 * std::sqrt(p * (1 - p) / 300)));
  }
}

}  // namespace gridcast::calibration
