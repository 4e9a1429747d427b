#include "calibration/inference/special_functions.hpp"

#include <cmath>
#include <limits>

#include "tests/test.hpp"

namespace gridcast::calibration {

TEST_CASE("ln Phi is continuous into the tail") {
  CHECK(log_normal_cdf(0) == Approx(std::log(0.5)));
  CHECK(log_normal_cdf(-5) == Approx(-15.06499839));
  CHECK(log_normal_cdf(-30.0001) == Approx(log_normal_cdf(-29.9999)).epsilon(1e-4));
  CHECK(log_normal_cdf(-40) == Approx(-800 - std::log(40.0) - 0.9189385332).epsilon(1e-9));
  CHECK(log_beta(2, 3) == Approx(std::log(1.0 / 12)));
}

TEST_CASE("The mean of likelihoods by their logarithms, however small") {
  constexpr double nothing = -std::numeric_limits<double>::infinity();
  CHECK(log_mean_exp({std::log(1), std::log(3)}) == Approx(std::log(2)));
  CHECK(log_mean_exp({-2000 + std::log(2), -2000 + std::log(6)}) == Approx(-2000 + std::log(4)));
  CHECK(log_mean_exp({0, nothing}) == Approx(-std::log(2)));
  CHECK(log_mean_exp({nothing, nothing}) == nothing);
}

}  // namespace gridcast::calibration
