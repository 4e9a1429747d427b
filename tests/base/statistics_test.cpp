// Known numbers are from numpy and scipy 1.10 (binomtest, gamma, t, ks_2samp,
// wasserstein_distance).
#include "sim/base/statistics.hpp"

#include <cmath>
#include <limits>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "tests/test.hpp"

namespace gridcast::inline base {
namespace {

auto nearly(double value) { return Approx(value).epsilon(1e-12); }
std::vector<double> const sample = {4.1, 7.3, 1.2, 9.9, 5.5, 3.3, 8.8};
std::vector<double> const nothing;

TEST_CASE("moments", "[statistics]") {
  CHECK(mean(sample) == nearly(5.728571428571429));
  CHECK(variance(sample) == nearly(9.735714285714288));
  CHECK(standard_deviation(sample) == nearly(3.12021061560182));
  CHECK(std::isnan(mean(nothing)));
  CHECK(variance(nothing) == 0);
  CHECK(variance(std::vector<double>{3}) == 0);
  // The one-pass formula would give 0 or worse.
  CHECK(variance(std::vector<double>{1e9 + 1, 1e9 + 2, 1e9 + 3}) == nearly(1));
}

TEST_CASE("quantiles are of type 7", "[statistics]") {
  double const p[] = {1, 0, 0.1, 0.25, 0.5, 0.9};
  double const known[] = {9.9, 1.2, 2.46, 3.7, 5.5, 9.24};
  auto const several = quantiles(sample, p);
  REQUIRE(several.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(several[i] == nearly(known[i]));
    CHECK(quantile(sample, p[i]) == several[i]);
  }
  CHECK(median(sample) == 5.5);
  CHECK(median({1, 2, 3, 4}) == 2.5);
  CHECK(quantile({7}, 0.3) == 7);
  CHECK(std::isnan(median({})));
  double const infinity = std::numeric_limits<double>::infinity();
  CHECK(median({1, 2, infinity}) == 2);
  CHECK(quantile({-infinity, 5, 6}, 0.25) == -infinity);
  CHECK(quantile({5, 6, infinity}, 0.75) == infinity);
}

TEST_CASE("the interval of a mean is Student's", "[statistics]") {
  auto const wide = mean_interval(sample);
  CHECK(wide.low == nearly(2.842857906875267668));
  CHECK(wide.high == nearly(8.614284950267589475));
  auto const narrow = mean_interval(sample, 0.9);
  CHECK(narrow.low == nearly(3.436923035944419611));
  CHECK(narrow.high == nearly(8.020219821198437532));
  CHECK(wide.contains(mean(sample)));
  CHECK_FALSE(wide.contains(1));
  auto const point = mean_interval(std::vector<double>{3});
  CHECK((point.low == 3 && point.high == 3));
}

TEST_CASE("the interval of a proportion is Clopper and Pearson's", "[statistics]") {
  auto const check_interval = [](std::size_t hits, std::size_t trials, double level, double low,
                                 double high) {
    auto const interval = proportion_interval(hits, trials, level);
    CHECK(interval.low == nearly(low));
    CHECK(interval.high == nearly(high));
  };
  check_interval(7, 79, 0.95, 0.03637054591323939295, 0.1740806859883228252);
  check_interval(3, 10, 0.9, 0.0872644339141503064, 0.6066242161054134255);
  check_interval(0, 20, 0.95, 0, 0.16843347098308548);
  check_interval(20, 20, 0.95, 0.8315665290169145, 1);
  check_interval(0, 0, 0.95, 0, 1);
  CHECK_THROWS_AS(proportion_interval(2, 1), InternalError);
}

TEST_CASE("intervals cover the stated share", "[statistics]") {
  // 4000 samples: the coverage has a standard error of 0.0034; the limits are 4.9 of them away, so
  // a correct interval would fail for one seed in a million.
  auto stream = RandomStreams(21, 0).stream(Purpose::test, 0);
  constexpr int samples = 4000;
  int mean_covered = 0;
  int proportion_covered = 0;
  for (int i = 0; i < samples; ++i) {
    std::vector<double> x(8);
    for (double& value : x) value = 5 + normal_quantile(stream.uniform());
    if (mean_interval(x).contains(5)) ++mean_covered;
    std::size_t hits = 0;
    for (int j = 0; j < 30; ++j) hits += stream.chance(0.1) ? 1 : 0;
    if (proportion_interval(hits, 30).contains(0.1)) ++proportion_covered;
  }
  CHECK(std::abs(mean_covered / double{samples} - 0.95) < 0.017);
  CHECK(proportion_covered / double{samples} > 0.95 - 0.017);
}

TEST_CASE("the index of dispersion", "[statistics]") {
  CHECK(dispersion_index(std::vector<double>{0, 1, 0, 3, 7, 0, 2, 1}) ==
        nearly(3.2244897959183674));
  CHECK(dispersion_index(std::vector<double>{0, 0, 0}) == 0);
  CHECK(dispersion_index(nothing) == 0);
}

TEST_CASE("distances of samples", "[statistics]") {
  std::vector<double> const a = {9, 2, 1, 2, 5};
  std::vector<double> const b = {2, 3, 3.5, 4, 4, 10, 12};
  CHECK(wasserstein_distance(a, b) == nearly(1.9285714285714286));
  CHECK(wasserstein_distance(b, a) == wasserstein_distance(a, b));
  CHECK(wasserstein_distance({0, 1, 3}, {5, 6, 8}) == nearly(5));
  CHECK(wasserstein_distance(a, a) == 0);
  CHECK(std::isnan(wasserstein_distance(a, {})));
}

TEST_CASE("the position in a sample counts ties half", "[statistics]") {
  CHECK(percentile_rank(2, std::vector<double>{1, 2, 2, 5}) == 0.5);
  CHECK(percentile_rank(0, sample) == 0);
  CHECK(percentile_rank(100, sample) == 1);
  CHECK(percentile_rank(5, std::vector<double>{1, 2, 3, 9}) == 0.75);
  CHECK(std::isnan(percentile_rank(1, nothing)));
}

}  // namespace
}  // namespace gridcast::inline base
