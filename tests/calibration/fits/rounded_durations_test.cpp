#include <cmath>

#include "calibration/fits/delay_law.hpp"
#include "sim/base/statistics.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

namespace {

constexpr double mu = 1.2, sigma = 0.6;

/// E max(0, k - X) of a lognormal X, in closed form (Black & Scholes 1973).
double expected_rest(double k) {
  if (k <= 0) return 0;
  double const z = (std::log(k) - mu) / sigma;
  return k * normal_cdf(z) - std::exp(mu + sigma * sigma / 2) * normal_cdf(z - sigma);
}

}  // namespace

TEST_CASE("A rounded duration shows as some number of ticks, and with the right mean") {
  for (double const tick : {1.0, 0.5}) {
    Distribution const x{Family::lognormal, sigma, std::exp(mu)};
    double total = 0, mean_shown = 0;
    for (int i = 0; i < 200; ++i) {
      double const d = tick * i;
      double const p = std::exp(log_rounded(x, 2, d, tick));
      total += p;
      mean_shown += p * d;
    }
    CHECK(total == Approx(1).epsilon(1e-4));
    CHECK(mean_shown == Approx(2 + std::exp(mu + sigma * sigma / 2)).epsilon(1e-3));
  }
}

TEST_CASE("The likelihood of a rounded duration agrees with its closed form to three digits") {
  Distribution const lognormal{Family::lognormal, sigma, std::exp(mu)};
  for (double const d : {1.0, 2.0, 3.0, 5.0, 9.0}) {
    CHECK(log_rounded(lognormal, 0.25, d, 1) ==
          Approx(std::log(expected_rest(d + 0.75) - 2 * expected_rest(d - 0.25) +
                          expected_rest(d - 1.25)))
              .margin(1e-3));
  }
  // Exponential, d = 0: (exp(-1) - 1 + 1) / 1 = exp(-1) of those below one tick show as none.
  Distribution const exponential{Family::exponential, 1, 1};
  CHECK(log_rounded(exponential, 0, 0, 1) == Approx(-1).margin(1e-6));
  // d = 2: exp(-1) - 2 exp(-2) + exp(-3).
  CHECK(std::exp(log_rounded(exponential, 3, 5, 1)) ==
        Approx(std::exp(-1.0) - 2 * std::exp(-2.0) + std::exp(-3.0)).epsilon(1e-6));
  CHECK(log_rounded(exponential, 100, 0, 1) == Approx(std::log(1e-12)));
}

}  // namespace gridcast::calibration
