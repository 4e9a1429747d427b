#include "calibration/count_model.hpp"

#include <cmath>

#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

TEST_CASE("Probabilities of the count models, by hand") {
  CountModel const beta{CountFamily::beta_geometric, 2, 3};
  double const p[] = {0.4, 0.2, 4.0 / 35, 1.0 / 14};  // scipy: B(3, 3 + k) / B(2, 3)
  double above = 1;
  for (int k = 0; k < 4; ++k) {
    above -= p[k];
    CHECK(std::exp(beta.log_probability(k)) == Approx(p[k]));
    CHECK(beta.survival(k) == Approx(above));
  }
  CountModel const geometric{CountFamily::geometric, 0.25, 0};
  CHECK(std::exp(geometric.log_probability(2)) == Approx(0.75 / 16));
  CHECK(geometric.survival(1) == Approx(1.0 / 16));
  CountModel const hurdle{CountFamily::hurdle, 0.6, 0.5};
  CHECK(std::exp(hurdle.log_probability(0)) == Approx(0.6));
  CHECK(std::exp(hurdle.log_probability(2)) == Approx(0.1));
  CHECK(hurdle.survival(2) == Approx(0.1));
}

TEST_CASE("Models of counts are recovered from what they make") {
  for (CountModel const& truth :
       {CountModel{CountFamily::geometric, 0.7, 0}, CountModel{CountFamily::hurdle, 0.65, 0.9},
        CountModel{CountFamily::beta_geometric, 3, 4}}) {
    RandomStream stream = test_stream(static_cast<std::uint32_t>(truth.family));
    std::vector<double> counts;
    for (int i = 0; i < 4000; ++i) counts.push_back(truth.sample(stream));
    CountModel const fit = fit_counts(truth.family, counts);
    CHECK(fit.survival(0) == Approx(truth.survival(0)).margin(0.03));
    CHECK(fit.survival(5) == Approx(truth.survival(5)).margin(0.03));
    // 1.63 / sqrt(4000), less than that since it is fitted.
    CHECK(kolmogorov_distance(fit, counts) < 0.026);
  }
}

TEST_CASE("The distance of counts to a model counts both sides of a step") {
  CountModel const half{CountFamily::geometric, 0.5, 0};
  // F = 1/2, 3/4, 7/8, ...; all counts at 1: below the step 1/2, above it 1/4.
  CHECK(kolmogorov_distance(half, {1, 1, 1}) == Approx(0.5));
  CHECK(kolmogorov_distance(half, {0, 0}) == Approx(0.5));
}

}  // namespace gridcast::calibration
