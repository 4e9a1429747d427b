#include <cmath>

#include "sim/base/random.hpp"
#include "sim/study/sample.hpp"
#include "tests/test.hpp"

namespace gridcast::study {
namespace {

TEST_CASE("paired differences leave out pairs with a gap", "[paired]") {
  auto const difference =
      paired_difference({3, 5, not_known, 9, 1}, {1, 2, 3, 4, not_known}, Wanted::more);
  CHECK(difference.n == 3);
  CHECK(difference.mean == Approx((2 + 3 + 5) / 3.));
  // differences 2, 3, 5: sd 1.5275; t quantile for 2 degrees of freedom: 4.3027
  CHECK(difference.ci95.high - difference.mean ==
        Approx(4.3027 * 1.5275 / std::sqrt(3)).epsilon(1e-4));
  CHECK(difference.better.share == 1);
  CHECK(difference.p05 == Approx(2.1));
  CHECK(difference.p95 == Approx(4.8));
}

TEST_CASE("common random numbers show as a variance ratio, none as a ratio of about one",
          "[paired]") {
  std::vector<double> base, same_random, other_random;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    auto stream = RandomStreams(1, i).stream(Purpose::test, 0);
    double const noise = stream.uniform();
    base.push_back(noise);
    same_random.push_back(2 + noise + 0.1 * stream.uniform());
    other_random.push_back(stream.uniform());
  }
  CHECK(paired_difference(same_random, base).variance_ratio > 100);
  CHECK(paired_difference(other_random, base).variance_ratio == Approx(1).margin(0.1));
  CHECK(std::isnan(paired_difference(base, base).variance_ratio));
}

TEST_CASE("a mean difference may go one way and most campaigns the other", "[paired]") {
  std::vector<double> base(100, 10), x(100, 9);
  x[7] = x[9] = 500;
  auto const difference = paired_difference(x, base);
  CHECK(difference.mean > 0);
  CHECK(difference.better.share == Approx(0.98));
  CHECK(difference.p95 == -1);
  // The mean's error shows that it may be zero.
  CHECK(difference.ci95.contains(0));
}

TEST_CASE("replicas that are all alike have no error, not one of zero", "[paired]") {
  auto const difference = paired_difference({4, 4, 4}, {1, 1, 1});
  CHECK(difference.mean == 3);
  CHECK(std::isnan(difference.ci95.low));
  CHECK(difference.better.share == 0);
  // Exact binomial: 1 - (0.025)^(1/3).
  CHECK(difference.better.ci95.high == Approx(1 - std::cbrt(0.025)).epsilon(1e-6));
}

TEST_CASE("none of n has an upper limit, and of nothing all is possible", "[paired]") {
  auto const none = chance(0, 1000);
  CHECK(none.share == 0);
  CHECK(none.ci95.low == 0);
  CHECK(none.ci95.high == Approx(1 - std::pow(0.025, 1e-3)).epsilon(1e-6));
  CHECK(chance(1000, 1000).ci95.low < 1);
  CHECK(std::isnan(chance(0, 0).share));
  CHECK(chance(0, 0).ci95.high == 1);
  // Half a tie: as wide as both neighbours together.
  CHECK(chance(2.5, 10).ci95.low == chance(2, 10).ci95.low);
  CHECK(chance(2.5, 10).ci95.high == chance(3, 10).ci95.high);
}

TEST_CASE("a mean of ratios has the wrong sign where the pooled ratio has the right one",
          "[paired]") {
  // Eight good campaigns: 9 instead of 10 hours a success. One with few successes: 40 for 10.
  RatioColumns base, x;
  for (int i = 0; i < 8; ++i) {
    base.top.push_back(900);
    base.bottom.push_back(90);
    x.top.push_back(810);
    x.bottom.push_back(90);
  }
  base.top.push_back(10);
  base.bottom.push_back(1);
  x.top.push_back(40);
  x.bottom.push_back(1);
  double naive = 0;
  for (std::size_t i = 0; i < 9; ++i)
    naive += x.top[i] / x.bottom[i] - base.top[i] / base.bottom[i];
  CHECK(naive > 0);
  auto const difference = pooled_difference(x, base, Wanted::less);
  CHECK(difference.mean == Approx((8 * 810. + 40) / 721 - 10));
  CHECK(difference.mean < 0);
  CHECK(difference.better.share == Approx(8. / 9));
}

TEST_CASE("with one success a campaign, pooled ratios differ as their values do", "[paired]") {
  std::vector<double> const a = {3, 5, 4, 9, 1}, b = {1, 2, 3, 4, 6};
  std::vector<double> const ones(5, 1);
  auto const pooled = pooled_difference({a, ones}, {b, ones}, Wanted::more);
  auto const plain = paired_difference(a, b, Wanted::more);
  CHECK(pooled.n == 5);
  CHECK(pooled.mean == Approx(plain.mean));
  CHECK(pooled.ci95.low == Approx(plain.ci95.low));
  CHECK(pooled.ci95.high == Approx(plain.ci95.high));
  CHECK(pooled.variance_ratio == Approx(plain.variance_ratio));
  CHECK(pooled.better.share == plain.better.share);
  CHECK(pooled.p05 == Approx(plain.p05));
  CHECK(pooled.p95 == Approx(plain.p95));
}

TEST_CASE("the error of a pooled difference covers, in repeated studies", "[paired]") {
  // 400 studies of 200 replicas; the interval of 95 % holds the truth in 91.6 to 97.7 % of them but
  // once in a thousand.
  double hits = 0;
  constexpr std::uint32_t studies = 400;
  for (std::uint32_t study = 0; study < studies; ++study) {
    auto stream = RandomStreams(5, study).stream(Purpose::test, 1);
    RatioColumns base, x;
    for (int i = 0; i < 200; ++i) {
      double const won = 1 + stream.below(90);
      double const won_of_x = 1 + stream.below(90);
      base.bottom.push_back(won);
      base.top.push_back(won * 10 * (0.5 + stream.uniform()));
      x.bottom.push_back(won_of_x);
      x.top.push_back(won_of_x * 8 * (0.5 + stream.uniform()));
    }
    hits += pooled_difference(x, base, Wanted::less).ci95.contains(-2) ? 1 : 0;
  }
  CHECK(hits / studies > 0.916);
  CHECK(hits / studies < 0.977);
}

TEST_CASE("a campaign without a success is worse than any with one", "[paired]") {
  RatioColumns const base{{10, 10}, {1, 0}}, x{{100, 100}, {0, 1}};
  auto const difference = pooled_difference(x, base, Wanted::less);
  CHECK(difference.better.share == 0.5);
  CHECK(difference.n == 2);
  CHECK(std::isnan(difference.p05));
  CHECK(pooled({{5, 5}, {0, 0}}) == std::numeric_limits<double>::infinity());
  CHECK(std::isnan(pooled_difference({{5}, {0}}, {{5}, {1}}, Wanted::less).mean));
  CHECK(std::isnan(pooled_ratio({{not_known}, {1}}).ratio));
}

}  // namespace
}  // namespace gridcast::study
