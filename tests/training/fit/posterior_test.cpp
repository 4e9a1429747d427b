#include <cmath>
#include <numbers>

#include "sim/training/fit/hierarchy.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

RandomStream stream() { return RandomStreams(1, 0).stream(Purpose::test, 0); }

double log_normal(double x, double mean, double sd) {
  return -0.5 * std::log(2 * std::numbers::pi) - std::log(sd) -
         0.5 * (x - mean) * (x - mean) / (sd * sd);
}

}  // namespace

// The closed form of a normal mean with a normal prior: precisions add up. The seed is fixed; by
// 20,000 points the estimates are within a few per cent with another.
TEST_CASE("a normal mean's posterior agrees with the closed form") {
  for (double const sd : {1., 0.1, 0.001}) {
    auto const posterior = training::sample_posterior(
        {{1, 2}}, [sd](std::vector<double> const& x) { return log_normal(3, x[0], sd); }, 20000,
        stream());
    double const precision = 1 / 4. + 1 / (sd * sd);
    CHECK(posterior.mean(0) == Approx((1 / 4. + 3 / (sd * sd)) / precision).epsilon(0.02));
    CHECK(posterior.variance(0) == Approx(1 / precision).epsilon(0.05));
    CHECK(posterior.effective > 4000);
  }
}

TEST_CASE("parameters of which only the sum is known stay as wide as the prior") {
  auto const posterior = training::sample_posterior(
      {{0, 1}, {0, 1}},
      [](std::vector<double> const& x) { return log_normal(1, x[0] + x[1], 0.001); }, 20000,
      stream());
  CHECK(posterior.mean(0) == Approx(0.5).margin(0.05));
  CHECK(posterior.variance(0) == Approx(0.5).epsilon(0.08));
}

TEST_CASE("without data the posterior is the prior") {
  auto const posterior = training::sample_posterior(
      {{5, 2}}, [](std::vector<double> const&) { return 0.; }, 20000, stream());
  CHECK(posterior.mean(0) == Approx(5).epsilon(0.02));
  CHECK(posterior.variance(0) == Approx(4).epsilon(0.05));
}

TEST_CASE("resampling takes each as often as it weighs, and quantiles go by weight") {
  auto const chosen = training::resample({0.5, 0, 0.25, 0.25}, 8, 0.5);
  CHECK(chosen == std::vector<std::size_t>{0, 0, 0, 0, 2, 2, 3, 3});
  CHECK(training::weighted_quantile({3, 1, 2}, {0.1, 0.6, 0.3}, 0.5) == 1);
  CHECK(training::weighted_quantile({3, 1, 2}, {0.1, 0.6, 0.3}, 0.8) == 2);
  CHECK(training::weighted_quantile({3, 1, 2}, {0.1, 0.6, 0.3}, 0.99) == 3);
}

}  // namespace gridcast::test
