#include "sim/base/mixture.hpp"

#include <cmath>

#include "tests/test.hpp"

namespace gridcast::inline base {

TEST_CASE("Shares of a mixture add up, and its quantiles are where they do") {
  Distribution const early{Family::exponential, 1, 10, 0}, late{Family::exponential, 1, 10, 1000};
  DistributionMixture const two({{early, 1}, {late, 3}});
  CHECK(two.cdf(1000) == Approx(0.25));
  CHECK(two.cdf(1000 + 10 * std::log(2.0)) == Approx(0.25 + 0.75 / 2));
  CHECK(two.quantile(0.125) == Approx(10 * std::log(2.0)));
  CHECK(two.quantile(0.625) == Approx(1000 + 10 * std::log(2.0)));
}

TEST_CASE("A mixture of one is that one") {
  Distribution const one{Family::lognormal, 0.5, 70, 3};
  DistributionMixture const mixture(one);
  for (double const u : {0.01, 0.5, 0.9}) CHECK(mixture.quantile(u) == one.quantile(u));
  CHECK(mixture.cdf(80) == one.cdf(80));
}

}  // namespace gridcast::inline base
