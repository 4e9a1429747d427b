#include <cmath>

#include "sim/base/random.hpp"
#include "sim/study/sample.hpp"
#include "tests/test.hpp"

namespace gridcast::study {
namespace {

/// Replicas of rows: a normal effect of the row, and noise.
std::optional<VarianceParts> parts(double of_row, double of_random, std::uint32_t rows,
                                   std::uint32_t replicas) {
  std::vector<double> values, draws;
  for (std::uint32_t i = 0; i < replicas; ++i) {
    auto row = RandomStreams(3, i % rows).stream(Purpose::test, 0);
    auto noise = RandomStreams(3, i).stream(Purpose::test, 1);
    // Sums of twelve uniforms: variance 1.
    double effect = -6, chance = -6;
    for (int k = 0; k < 12; ++k) {
      effect += row.uniform();
      chance += noise.uniform();
    }
    values.push_back(of_row * effect + of_random * chance);
    draws.push_back(i % rows);
  }
  return variance_parts(values, draws);
}

TEST_CASE("ignorance and random numbers are distinguished", "[spread]") {
  auto const mixed = *parts(2, 1, 300, 1000);
  CHECK(mixed.ignorance == Approx(4).epsilon(0.25));
  CHECK(mixed.random == Approx(1).epsilon(0.15));
  CHECK(mixed.ignorance_share() == Approx(0.8).margin(0.06));
  CHECK(parts(0, 1, 300, 1000)->ignorance_share() < 0.1);
  CHECK(parts(1, 0, 300, 1000)->ignorance_share() == Approx(1));
  // One row: nothing is left open.
  CHECK(parts(2, 1, 1, 100)->ignorance == 0);
}

// 16 values of a row, half of them 0 and half 2, and 8 of another, 10 and 12: squares within add up
// to 24 and between to 16 x 8 / 24 x 100; a row's usual number is 24 - (256 + 64) / 24.
TEST_CASE("rows of unequal numbers, by hand", "[spread]") {
  std::vector<double> values, draws;
  for (int i = 0; i < 24; ++i) {
    values.push_back((i < 16 ? 0 : 10) + 2 * (i % 2));
    draws.push_back(i < 16 ? 4 : 7);
  }
  auto const two = *variance_parts(values, draws);
  CHECK(two.random == Approx(24. / 22));
  CHECK(two.ignorance == Approx((16. * 8 / 24 * 100 - 24. / 22) / (24 - 320. / 24)));
  values.push_back(std::nan(""));
  draws.push_back(4);
  CHECK(variance_parts(values, draws)->ignorance == Approx(two.ignorance));
  values.resize(21), draws.resize(21);
  CHECK_FALSE(variance_parts(values, draws));  // 19 second looks
}

TEST_CASE("rows without repeats and constant figures show no spread", "[spread]") {
  CHECK_FALSE(parts(2, 1, 300, 300));
  CHECK_FALSE(parts(0, 0, 30, 300));
  CHECK_FALSE(variance_parts({}, {}));
  double const nan = std::nan("");
  CHECK_FALSE(variance_parts(std::vector<double>(100, nan), std::vector<double>(100, 1)));
}

TEST_CASE("twenty second looks are chance", "[spread]") {
  std::vector<double> draws;
  for (int i = 0; i < 100; ++i) draws.push_back(i % 81);
  CHECK_FALSE(enough_second_looks(draws));  // 19
  draws.push_back(0);
  CHECK(enough_second_looks(draws));
  draws.assign(100, std::nan(""));
  CHECK_FALSE(enough_second_looks(draws));
}

TEST_CASE("more logged jobs reduce ignorance, but not the spread of random numbers", "[spread]") {
  // With ignorance alone, a fifth narrower is 0.64 of the variance, with 100 / 0.64 jobs in all.
  CHECK(more_jobs({1, 0}, 100) == 57);
  // 0.8 x 100 / 182 + 0.2 is 0.64.
  CHECK(more_jobs({0.8, 0.2}, 100) == 82);
  CHECK_FALSE(more_jobs({0.3, 0.7}, 100));
  CHECK_FALSE(more_jobs({0, 1}, 100));
}

}  // namespace
}  // namespace gridcast::study
