#include <cmath>

#include "calibration/inference/partial_pooling.hpp"
#include "sim/base/statistics.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

// Four values far from each other with a prior that says nothing: the centre is theirs, with the
// spread over two (of the density itself, summed over a grid of both).
TEST_CASE("A centre and a spread in common are drawn as their posterior is") {
  CommonPrior const prior{1, 2, 3};
  std::vector<double> const values = {-1, 0, 2, 5};
  double sum = 0, centre = 0, log_spread = 0;
  for (double c = -12; c < 14; c += 0.05) {
    for (double l = -6.9; l < 2.6; l += 0.05) {
      double log_p = -(c - 1) * (c - 1) / 8 - std::exp(2 * l) / 18 + l - 4 * l;
      for (double const x : values) log_p -= (x - c) * (x - c) / 2 / std::exp(2 * l);
      double const p = std::exp(log_p);
      sum += p;
      centre += p * c;
      log_spread += p * l;
    }
  }
  // The density of centre and spread is 1 / (2 pi sd), of the half-normal 2 / sqrt(2 pi), of each
  // value 1 / sqrt(2 pi).
  double const factors = std::log(1 / (std::sqrt(2 * M_PI) * 2)) +
                         std::log(2 / (std::sqrt(2 * M_PI) * 3)) - 2 * std::log(2 * M_PI);
  CHECK(log_integrated(values, prior) ==
        Approx(std::log(sum * 0.05 * 0.05) + factors).margin(0.01));
  RandomStream stream = test_stream(7);
  std::vector<double> centres, log_spreads;
  for (int i = 0; i < 2000; ++i) {
    CommonDraw const drawn = draw_common(values, prior, stream);
    centres.push_back(drawn.centre);
    log_spreads.push_back(drawn.log_spread);
  }
  CHECK(mean(centres) ==
        Approx(centre / sum).margin(4 * standard_deviation(centres) / std::sqrt(2000.0)));
  CHECK(mean(log_spreads) ==
        Approx(log_spread / sum).margin(4 * standard_deviation(log_spreads) / std::sqrt(2000.0)));
}

}  // namespace gridcast::calibration
