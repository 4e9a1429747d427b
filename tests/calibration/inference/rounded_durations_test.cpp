#include "calibration/inference/rounded_durations.hpp"

#include <cmath>

#include "tests/test.hpp"

namespace gridcast::calibration {

TEST_CASE("A rounded duration shows as some number of ticks, and with the right mean") {
  for (double const tick : {1.0, 0.5}) {
    LogNormal const x{1.2, 0.6};
    double total = 0, mean_shown = 0;
    for (int i = 0; i < 4000; ++i) {
      double const d = tick * i;
      double const p = std::exp(log_rounded(x, 2, d, tick));
      total += p;
      mean_shown += p * d;
    }
    CHECK(total == Approx(1).epsilon(1e-6));
    CHECK(mean_shown == Approx(2 + std::exp(1.2 + 0.18)).epsilon(1e-5));
  }
}

TEST_CASE("The two forms of a rounded duration agree, for a smooth distribution to four digits") {
  Distribution const lognormal{Family::lognormal, 0.6, std::exp(1.2)};
  for (double const d : {1.0, 2.0, 3.0, 5.0, 9.0}) {
    CHECK(log_rounded(lognormal, 0.25, d, 1) ==
          Approx(log_rounded(LogNormal{1.2, 0.6}, 0.25, d, 1)).margin(1e-3));
  }
  // Exponential, d = 0: (exp(-1) - 1 + 1) / 1 = exp(-1) of those below one tick show as none.
  Distribution const exponential{Family::exponential, 1, 1};
  CHECK(log_rounded(exponential, 0, 0, 1) == Approx(-1).margin(1e-6));
  // d = 2: exp(-1) - 2 exp(-2) + exp(-3).
  CHECK(std::exp(log_rounded(exponential, 3, 5, 1)) ==
        Approx(std::exp(-1.0) - 2 * std::exp(-2.0) + std::exp(-3.0)).epsilon(1e-6));
  CHECK(log_rounded(exponential, 100, 0, 1) == Approx(std::log(1e-12)));
}

TEST_CASE("Longer than seen: the survival function, and certain below the shift") {
  LogNormal const x{0.5, 2};
  CHECK(std::exp(log_longer(x, 1, 1 + std::exp(0.5))) == Approx(0.5));
  CHECK(std::exp(log_longer(x, 1, 1 + std::exp(2.5))) == Approx(0.1586552539));
  CHECK(log_longer(x, 1, 1) == 0);
}

}  // namespace gridcast::calibration
