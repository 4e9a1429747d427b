#include "calibration/fits/estimate.hpp"

#include <algorithm>

#include "sim/base/statistics.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

TEST_CASE("Stratified draws take one value from each slice, in any order") {
  std::vector<double> draws = stratified_draws(test_stream(1), 100, [](double u) { return u; });
  CHECK_FALSE(std::is_sorted(draws.begin(), draws.end()));
  std::sort(draws.begin(), draws.end());
  for (std::size_t i = 0; i < draws.size(); ++i) {
    CHECK(draws[i] > static_cast<double>(i) / 100);
    CHECK(draws[i] < static_cast<double>(i + 1) / 100);
  }
}

TEST_CASE("Columns of different fits are independent") {
  RandomStreams const streams(1, 0);
  auto const draws = [&](DrawsOf what) {
    return stratified_draws(bootstrap_stream(streams, what), 1000, [](double u) { return u; });
  };
  std::vector<double> const a = draws(DrawsOf::corrupt_input);
  std::vector<double> const b = draws(DrawsOf::hold_on_failure);
  double product = 0;
  for (std::size_t i = 0; i < a.size(); ++i) product += (a[i] - 0.5) * (b[i] - 0.5);
  // Four standard errors of a correlation of 1,000 pairs.
  CHECK(std::abs(product / 1000 * 12) < 0.13);
}

TEST_CASE("A parameter's line summarises its draws") {
  Fit fit;
  std::vector<double> values;
  for (int i = 0; i <= 100; ++i) values.push_back(i);
  Estimate line;
  line.name = "x";
  add_posterior(fit, line, values);
  CHECK(fit.estimates[0].estimate == 50);
  CHECK(fit.estimates[0].interval90.low == Approx(5));
  CHECK(fit.estimates[0].interval90.high == Approx(95));
  CHECK(fit.estimates[0].standard_error == Approx(standard_deviation(values)));
  CHECK(fit.draws.columns == std::vector<std::string>{"x"});
}

TEST_CASE("Fits are appended column by column") {
  Fit fit;
  Fit part;
  fit.draws.add("a", {1, 2});
  part.draws.add("b", {3, 4});
  part.not_identified.push_back({"c", "d", "e"});
  append(fit, part);
  CHECK(fit.draws.rows == std::vector<std::vector<double>>{{1, 3}, {2, 4}});
  CHECK(fit.not_identified.size() == 1);
}

}  // namespace gridcast::calibration
