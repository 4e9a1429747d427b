#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "tests/test.hpp"

namespace gridcast {
namespace {

RandomStream noise(std::uint32_t entity) {
  return RandomStreams(11, 0).stream(Purpose::test, entity);
}

TEST_CASE("CRPS of a few values, by hand", "[scores]") {
  CHECK(fair_crps({3}, 5) == 2);
  // Mean distance 1; the two values differ by 2: 1 - 1/2 x 2.
  CHECK(fair_crps({0, 2}, 1) == Approx(0));
  CHECK(fair_crps({2, 0}, 4) == Approx(3 - 1));
  CHECK(fair_crps({1, 1, 1}, 1) == 0);
  CHECK(std::isnan(fair_crps({}, 1)));
}

// N(0, 1) and 0: 2 phi(0) - 1 / sqrt(pi) = 0.23370 (Gneiting & Raftery 2007, eq. 21).
TEST_CASE("CRPS of an ensemble equals the CRPS of its distribution for every size", "[scores]") {
  double const exact = 2 / std::sqrt(2 * M_PI) - 1 / std::sqrt(M_PI);
  auto stream = noise(1);
  for (std::size_t const size : {2, 5, 50}) {
    std::vector<double> scores;
    for (int i = 0; i < 4000; ++i) {
      std::vector<double> forecast;
      for (std::size_t k = 0; k < size; ++k) forecast.push_back(normal_quantile(stream.uniform()));
      scores.push_back(fair_crps(std::move(forecast), 0));
    }
    // Four standard errors: a false alarm in 16,000 for each size.
    double const error = standard_deviation(scores) / std::sqrt(4000.0);
    CHECK(std::abs(mean(scores) - exact) < 4 * error);
  }
}

TEST_CASE("CRPS of a lognormal: its closed form against its quantiles", "[scores]") {
  Lognormal const forecast{20, 0.6};
  std::vector<double> values;
  for (int i = 0; i < 20000; ++i) values.push_back(forecast.quantile((i + 0.5) / 20000));
  for (double const observed : {-1.0, 0.0, 5.0, 20.0, 80.0}) {
    CHECK(crps(forecast, observed) == Approx(fair_crps(values, observed)).epsilon(0.002));
  }
  CHECK(crps(Lognormal{20, 0}, 17) == 3);
  CHECK(crps(Lognormal{0, 0.5}, 4) == 4);
}

TEST_CASE("The interval score is the width, plus a penalty for values outside", "[scores]") {
  CHECK(interval_score({2, 6}, 0.9, 3) == 4);
  CHECK(interval_score({2, 6}, 0.9, 7) == Approx(4 + 20 * 1));
  CHECK(interval_score({2, 6}, 0.5, 1) == Approx(4 + 4 * 1));
}

TEST_CASE("A central interval by hand", "[scores]") {
  std::vector<double> values(19);
  std::iota(values.rbegin(), values.rend(), 1.0);
  CHECK(central_interval(values, 0.9) == Interval{1, 19});
  CHECK(central_interval(values, 0.5) == Interval{5, 15});
  // The range of the values, and no value at all.
  CHECK(central_interval({3, 1}, 0.9) == Interval{1, 3});
  CHECK(std::isnan(central_interval({}, 0.9).low));
  CHECK(central_interval({1, 2, infinity, infinity}, 0.9).high == infinity);
}

TEST_CASE("A central interval contains one more value with its probability, for every size",
          "[scores]") {
  auto stream = noise(3);
  constexpr int trials = 20000;
  for (std::size_t const size : {19, 60, 200}) {
    for (double const level : {0.5, 0.9}) {
      int inside = 0;
      for (int i = 0; i < trials; ++i) {
        std::vector<double> values;
        for (std::size_t k = 0; k < size; ++k) values.push_back(normal_quantile(stream.uniform()));
        bool const within =
            central_interval(values, level).contains(normal_quantile(stream.uniform()));
        inside += within ? 1 : 0;
      }
      // Four standard errors of a share of 0.5, which are more than those of 0.9.
      CHECK(inside == Approx(level * trials).margin(4 * std::sqrt(0.25 * trials)));
    }
  }
}

TEST_CASE("Each value is compared with the interval of the others", "[scores]") {
  std::vector<double> const values = {5, 1, 9, 9, 3, 7, 2, 8, 4, 6, 5, 30};
  for (double const level : {0.5, 0.8, 0.9}) {
    auto const inside = inside_of_others(values, level);
    REQUIRE(inside.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::vector<double> others = values;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      CHECK(inside[i] == central_interval(others, level).contains(values[i]));
    }
  }
}

TEST_CASE("A rank among n values lies between 0 and n, and equal values share a rank", "[scores]") {
  std::vector<double> const values = {1, 2, 2, 3};
  CHECK(rank_of(0, values).low == 0);
  CHECK(rank_of(0, values).high == Approx(0.2));
  CHECK(rank_of(2, values).low == Approx(0.2));
  CHECK(rank_of(2, values).high == Approx(0.8));
  CHECK(rank_of(9, values).middle() == Approx(0.9));
}

}  // namespace
}  // namespace gridcast
