#include <limits>

#include "calibration/inference/special_functions.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

TEST_CASE(
    "The search finds the minimum of a bowl, free and against a wall, and avoids infinite values") {
  auto const bowl = [](std::vector<double> const& x) {
    if (x[0] > 50) return std::numeric_limits<double>::quiet_NaN();
    return 7 + (x[0] - 3) * (x[0] - 3) + 2 * (x[1] + 1) * (x[1] + 1);
  };
  Minimum const free = minimise(bowl, {40, 5}, 0.5);
  CHECK(free.at[0] == Approx(3).margin(1e-3));
  CHECK(free.at[1] == Approx(-1).margin(1e-3));
  CHECK(free.value == Approx(7).margin(1e-6));
  Minimum const walled = minimise(bowl, {1, 1}, 0.5, {{-10, 0}, {2, 10}});
  CHECK(walled.at[0] == Approx(2).margin(1e-3));
  CHECK(walled.at[1] == Approx(0).margin(1e-3));
  CHECK(minimise(bowl, {40, 5}, 0.5, {}, 5).value > 8);
}

}  // namespace gridcast::calibration
