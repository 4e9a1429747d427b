// Factors between two campaigns: their law, and how evenly a study covers it.
#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/engine/resampled_jobs.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

TEST_CASE("a factor of one lognormal law has that law's quantiles") {
  engine::FactorLaw const law{1, 0.5, 9};
  // Mean one: the median is exp(-0.5^2 / 2).
  CHECK(law.quantile(0.5) == Approx(std::exp(-0.125)));
  CHECK(law.quantile(0.8413447461) == Approx(std::exp(0.375)));
  CHECK(law.quantile(0.0227501319) == Approx(std::exp(-1.125)));
}

TEST_CASE("a mixture has all laws in their shares") {
  engine::FactorLaw const law{0.6, 0.1, 1};
  // At ln f = 1: 0.6 + 0.4 Phi(1 + 1/2).
  CHECK(law.quantile(0.6 + 0.4 * 0.9331927987) == Approx(std::exp(1.0)).epsilon(1e-6));
  engine::FactorLaw const upheaval{0, 0, 0, 1};
  CHECK(upheaval.quantile(0.5) == Approx(1));
  CHECK(upheaval.quantile(0.75) == Approx(std::sqrt(10.0)));
  CHECK(upheaval.quantile(0.001) > 0.1);
  CHECK(upheaval.quantile(0.999) < 10);
  engine::FactorLaw const both{1, 0, 0, 0.5};
  CHECK(both.quantile(0.5) == 1);
  CHECK(both.quantile(0.125) == Approx(1 / std::sqrt(10.0)));
}

TEST_CASE("usual campaigns have the record as their mean") {
  engine::FactorLaw const law{0.35, 0.6, 1.3};
  constexpr int points = 200'000;
  double sum = 0;
  for (int i = 0; i < points; ++i) sum += law.quantile((i + 0.5) / points);
  CHECK(sum / points == Approx(1).epsilon(0.01));
}

TEST_CASE("the spread of a law agrees with its quantiles") {
  for (engine::FactorLaw const law :
       {engine::FactorLaw{1, 0.5, 9}, {0.35, 0.6, 1.3, 0.15}, {0, 0, 0, 1}}) {
    constexpr int points = 20'000;
    std::vector<double> logs;
    for (int i = 0; i < points; ++i) logs.push_back(std::log(law.quantile((i + 0.5) / points)));
    CHECK(law.log_sd() == Approx(standard_deviation(logs)).epsilon(0.01));
  }
}

TEST_CASE("campaigns that are alike have a factor of exactly one") {
  engine::FactorLaw const law{0.7, 0, 1.5};
  // Phi(1.5 / 2) = 77 % of the changed campaigns are below the mean: 23 % of all.
  for (double const u : {0.24, 0.5, 0.93}) CHECK(law.quantile(u) == 1);
  CHECK(law.quantile(0.22) < 1);
  CHECK(law.quantile(0.94) > 1);
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
      bool const first = values == &computing;
      double const median = (first ? variation.computing : variation.waiting).quantile(0.5);
      auto const below =
          std::count_if(values->begin(), values->end(), [median](double f) { return f < median; });
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
