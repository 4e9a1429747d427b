#include "calibration/goodness_of_fit.hpp"

#include <algorithm>
#include <cmath>

#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

TEST_CASE("Kaplan-Meier by hand") {
  // 1, 2+, 3, 3, 5+: S = 4/5, then 4/5 (1 - 1/3)(1 - 1/2) = 4/15.
  KaplanMeier const curve({{3}, {1}, {5, true}, {2, true}, {3}});
  REQUIRE(curve.times == std::vector<double>{1, 3});
  CHECK(curve.survival[0] == Approx(0.8));
  CHECK(curve.survival[1] == Approx(4.0 / 15));
  CHECK(curve.quantile(0.2) == 1);
  CHECK(curve.quantile(0.5) == 3);
  CHECK(std::isinf(curve.quantile(0.9)));
}

TEST_CASE("Anderson-Darling by hand") {
  // numpy, from the formula of the Anderson-Darling statistic.
  Distribution const unit{Family::exponential, 1, 1, 0};
  CHECK(anderson_darling({{2}, {0.5}, {1}}, unit) == Approx(0.5119482850));
}

TEST_CASE("Without censoring the Kaplan-Meier distance is Kolmogorov's") {
  Distribution const unit{Family::exponential, 1, 1, 0};
  // F = 0.393, 0.632, 0.865; steps of 1/3: the largest distance is before the first.
  CHECK(kaplan_meier_distance({{0.5}, {1}, {2}}, unit) == Approx(1 - std::exp(-0.5)));
}

TEST_CASE("The right family passes, a wrong one does not") {
  RandomStream stream = test_stream(1);
  Distribution const truth{Family::lognormal, 0.8, 100};
  Sample sample;
  Sample censored;
  for (int i = 0; i < 150; ++i) {
    double const value = truth.sample(stream);
    sample.push_back({value});
    censored.push_back({std::min(value, 200.0), value > 200});
  }
  for (Sample const& seen : {sample, censored}) {
    auto const p = [&](Family family) {
      return goodness_of_fit(seen, fit_family(seen, {family, false}), 199, test_stream(2)).p_value;
    };
    CHECK(p(Family::lognormal) > 0.05);
    CHECK(p(Family::exponential) < 0.02);
  }
  CHECK(goodness_of_fit(sample, fit_family(sample, {Family::lognormal, false}), 19, test_stream(3))
            .anderson_darling);
}

TEST_CASE("The p-value is as often small as it should be", "[slow]") {
  // 100 right models; below 0.1 in 10 +- 3 of them, 2 to 21 with a false alarm in 1,000.
  int small = 0;
  for (std::uint32_t i = 0; i < 100; ++i) {
    RandomStream stream = test_stream(100 + i);
    Distribution const truth{Family::weibull, 2, 100};
    Sample sample;
    for (int k = 0; k < 30; ++k) {
      double const value = truth.sample(stream);
      sample.push_back({std::min(value, 130.0), value > 130});
    }
    FittedFamily const fit = fit_family(sample, {Family::weibull, false});
    if (goodness_of_fit(sample, fit, 99, test_stream(300 + i)).p_value < 0.1) ++small;
  }
  CHECK(small >= 2);
  CHECK(small <= 21);
}

}  // namespace gridcast::calibration
