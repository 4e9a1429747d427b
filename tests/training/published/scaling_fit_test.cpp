#include "tests/training/published/scaling_fit.hpp"

#include <cmath>

#include "tests/test.hpp"

namespace gridcast::test {

namespace published = training::published;

namespace {

/// Wall times of the Kempner README.
std::vector<published::ScalingPoint> kempner(int most) {
  std::vector<published::ScalingPoint> points;
  for (auto const& [gpus, wall] :
       {std::pair(1, 129686.), std::pair(2, 65752.), std::pair(4, 33216.), std::pair(8, 17104.),
        std::pair(16, 8914.), std::pair(32, 4765.), std::pair(64, 2640.)}) {
    if (gpus <= most) points.push_back({gpus, Seconds(wall)});
  }
  return points;
}

}  // namespace

TEST_CASE("a fit finds the parameters that made the times") {
  for (published::ScalingForm const& form : published::scaling_forms()) {
    double const a = 0.02, b = form.second != nullptr ? 0.003 : 0;
    published::ScalingFit const truth{form, Seconds(1000), a, b};
    std::vector<published::ScalingPoint> points;
    for (int n = 1; n <= 64; n *= 2) points.push_back({n, truth.wall(n)});
    published::ScalingFit const fit = published::fit_scaling(form, points);
    CHECK(fit.a == Approx(a));
    CHECK(fit.b == Approx(b));
    CHECK(worst_wall(fit, points) < 1e-12);
  }
}

TEST_CASE("losses are not negative") {
  std::vector<published::ScalingPoint> const superlinear = {
      {1, Seconds(100)}, {2, Seconds(49)}, {4, Seconds(24)}, {8, Seconds(11.8)}};
  for (published::ScalingForm const& form : published::scaling_forms()) {
    published::ScalingFit const fit = published::fit_scaling(form, superlinear);
    CHECK(fit.a >= 0);
    CHECK(fit.b >= 0);
    CHECK(fit.efficiency(1) == 1);
  }
}

TEST_CASE("the fit of the seven rows is the published reading: 0.00982 log2 n + 0.00391 (n - 1)") {
  published::ScalingFit const fit =
      published::fit_scaling(published::preferred_form(), kempner(64));
  CHECK(fit.a == Approx(0.00982).margin(5e-6));
  CHECK(fit.b == Approx(0.00391).margin(5e-6));
  CHECK(published::worst_efficiency(fit, kempner(64)) == Approx(0.65).margin(0.005));
}

TEST_CASE("fitted on 1 to 16 GPUs, 32 and 64 are within 4 % of wall time") {
  published::ScalingFit const fit =
      published::fit_scaling(published::preferred_form(), kempner(16));
  CHECK(std::abs(fit.wall(32) / Seconds(4765) - 1) < 0.04);
  CHECK(std::abs(fit.wall(64) / Seconds(2640) - 1) < 0.04);
}

TEST_CASE("the interval for 128 GPUs covers the forms that compete") {
  published::ScalingOutlook const outlook = published::scaling_outlook(kempner(64), 128);
  CHECK(outlook.interval.contains(outlook.wall.value()));
  int competing = 0;
  for (published::ScalingFit const& fit : outlook.fits) {
    CHECK(outlook.every_form.contains(fit.wall(128).value()));
    if (published::worst_efficiency(fit, kempner(64)) > published::refuted_points) continue;
    ++competing;
    CHECK(outlook.interval.contains(fit.wall(128).value()));
  }
  CHECK(competing == 5);
  // T = W/n + c, fitted to the wall times: 130791 / 128 + 624.
  CHECK(outlook.interval.contains(130791 / 128. + 624));
}

}  // namespace gridcast::test
