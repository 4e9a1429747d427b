#include "calibration/fits/importance.hpp"

#include <cmath>

#include "tests/test.hpp"

namespace gridcast::calibration {

TEST_CASE("The evidence of a normal density is its integral, the draws have its moments") {
  // exp(-(x - 2)^2 / (2 0.5^2) - (y + 1 - x)^2 / (2 3^2)): integral 2 pi 0.5 x 3.
  auto const target = [](std::vector<double> const& at) {
    double const a = (at[0] - 2) / 0.5, b = (at[1] + 1 - at[0]) / 3;
    return -(a * a + b * b) / 2;
  };
  RandomStream stream(7, Purpose::test, 0, 0);
  ImportanceProposal const start{.center = {0, 0}, .draws = {}, .sd = {2, 2}};
  ImportanceProposal const found = adapted_proposal(target, start, 400, stream);
  ImportanceDraws const draws = importance_sample(target, found, 2000, stream);
  CHECK(draws.log_evidence == Approx(std::log(2 * M_PI * 1.5)).margin(0.05));
  CHECK(draws.effective > 1200);
  double x = 0, y = 0;
  for (std::size_t const i : draws.resampled(1000, stream)) {
    x += draws.at[i][0] / 1000;
    y += draws.at[i][1] / 1000;
  }
  CHECK(x == Approx(2).margin(0.06));
  CHECK(y == Approx(1).margin(0.35));
}

}  // namespace gridcast::calibration
