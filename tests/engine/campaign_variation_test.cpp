// Factors between two campaigns: their law, and how evenly a study covers it.
#include "sim/engine/campaign_variation.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/test.hpp"

namespace gridcast::test {

TEST_CASE("a factor of one normal law has that law's quantiles") {
  engine::FactorLaw const law{1, 0.5, 9};
  CHECK(law.quantile(0.5) == Approx(1));
  CHECK(law.quantile(0.8413447461) == Approx(std::exp(0.5)));
  CHECK(law.quantile(0.0227501319) == Approx(std::exp(-1.0)));
}

TEST_CASE("a mixture has both laws in their shares") {
  engine::FactorLaw const law{0.6, 0.1, 1};
  // At ln f = 1: 0.6 + 0.4 Phi(1).
  CHECK(law.quantile(0.6 + 0.4 * 0.8413447461) == Approx(std::exp(1.0)).epsilon(1e-6));
  CHECK(law.quantile(0.3) * law.quantile(0.7) == Approx(1));
}

TEST_CASE("campaigns that are alike have a factor of exactly one") {
  engine::FactorLaw const law{0.7, 0, 1.5};
  for (double const u : {0.2, 0.5, 0.8}) CHECK(law.quantile(u) == 1);
  CHECK(law.quantile(0.1) < 1);
  CHECK(law.quantile(0.9) > 1);
  engine::FactorLaw const none{0, 0, 0};
  CHECK(none.quantile(0.01) == 1);
}

TEST_CASE("the first replicas of a study cover the law evenly") {
  auto const variation = engine::usual_variation();
  for (std::uint64_t const seed : {1, 2, 3, 4, 5}) {
    std::vector<double> computing, waiting;
    for (std::uint32_t replica = 0; replica < 60; ++replica) {
      auto const factors = engine::campaign_factors(variation, seed, replica);
      computing.push_back(factors.computing);
      waiting.push_back(factors.waiting);
    }
    for (auto const* values : {&computing, &waiting}) {
      auto const below =
          std::count_if(values->begin(), values->end(), [](double f) { return f < 1; });
      // Independent draws would be off by more than 3 in 44 % of the cases.
      CHECK(std::abs(below - 30) <= 3);
    }
  }
}

TEST_CASE("a replica's factors depend on its seed and number alone") {
  auto const variation = engine::usual_variation();
  auto const once = engine::campaign_factors(variation, 5, 17);
  auto const again = engine::campaign_factors(variation, 5, 17);
  CHECK(once.repeats == again.repeats);
  CHECK(once.repeats != engine::campaign_factors(variation, 5, 18).repeats);
  CHECK(once.repeats != engine::campaign_factors(variation, 6, 17).repeats);
}

}  // namespace gridcast::test
