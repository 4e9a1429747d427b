#include "calibration/fits/campaign_spread.hpp"

#include <cmath>

#include "sim/base/distribution.hpp"
#include "sim/base/statistics.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

/// n campaigns of 1,000 s at a rate of 0.2/s times exp(tau z).
std::vector<SiteCount> campaigns(int n, double tau, std::uint32_t seed) {
  RandomStream stream = RandomStreams(seed, 0).stream(Purpose::test, 0);
  std::vector<SiteCount> counts;
  for (int i = 0; i < n; ++i) {
    double const mean = 200 * std::exp(tau * normal_quantile(stream.uniform()));
    counts.push_back({std::floor(poisson_quantile(stream.uniform(), mean)), 1000});
  }
  return counts;
}

double mean_tau(std::vector<SiteCount> const& counts) {
  return mean(CampaignSpread(counts, 1).draws(RandomStreams(1, 0).stream(Purpose::test, 1), 400));
}

}  // namespace

TEST_CASE("One campaign leaves the spread at its prior, a half-normal") {
  auto const taus =
      CampaignSpread({{50, 100}}, 0.5).draws(RandomStreams(1, 0).stream(Purpose::test, 1), 4000);
  CHECK(mean(taus) == Approx(0.5 * std::sqrt(2 / M_PI)).epsilon(0.05));
  CHECK(quantile(taus, 0.9) == Approx(0.5 * 1.6449).epsilon(0.05));
}

// 12 campaigns tell tau with a relative error of about 1 / sqrt(24), 20 %; 3 of these are the bounds.
TEST_CASE("Several campaigns tell their spread") {
  CHECK(mean_tau(campaigns(12, 0.8, 5)) == Approx(0.8).epsilon(0.6));
  CHECK(mean_tau(campaigns(12, 0, 5)) < 0.15);
  CHECK(mean_tau(campaigns(12, 0.8, 5)) > 3 * mean_tau(campaigns(12, 0, 5)));
}

// exp(tau sqrt(1 + 1/1) z) with tau stated; odds of small probabilities are nearly rates.
TEST_CASE("Draws get the next campaign's value, intervals keep this one's") {
  for (PooledAs const as : {PooledAs::rate, PooledAs::share}) {
    Fit fit;
    add_parameter(fit, {.name = "kind.A", .estimate = 1e-4}, std::vector<double>(2000, 1e-4));
    add_parameter(fit, {.name = "kind.B", .estimate = 2e-4}, std::vector<double>(2000, 2e-4));
    spread_between_campaigns(fit, {"kind", as, 1, {{10, 100}}}, 0.5, RandomStreams(1, 0), 0);
    std::vector<double> logs;
    for (auto const& row : fit.draws.rows) {
      logs.push_back(std::log(row[0] / 1e-4));
      CHECK(row[1] == Approx(2 * row[0]).epsilon(0.02));
    }
    CHECK(standard_deviation(logs) == Approx(0.5 * std::sqrt(2.)).epsilon(0.02));
    CHECK(line(fit, "kind.A").interval90.high == Approx(1e-4));
    CHECK(line(fit, "between_campaigns.kind").estimate == 0.5);
    CHECK(line(fit, "between_campaigns.kind").origin == Origin::stated);
  }
}

TEST_CASE("Where times grow by a factor, rates shrink by it") {
  Fit fit;
  add_parameter(fit, {.name = "time_s.A"}, std::vector<double>(50, 3));
  add_parameter(fit, {.name = "speed.A"}, std::vector<double>(50, 7));
  add_parameter(fit, {.name = "other.A"}, std::vector<double>(50, 5));
  CampaignKind const kind{.parameter = "time_s", .scale = 1, .inverse = "speed"};
  spread_between_campaigns(fit, kind, 0.5, RandomStreams(1, 0), 0);
  for (auto const& row : fit.draws.rows) {
    CHECK(row[0] * row[1] == Approx(21));
    CHECK(row[0] != 3);
    CHECK(row[2] == 5);
  }
  CHECK_THAT(line(fit, "between_campaigns.time_s").method, has_text("sd of ln(time)"));
}

TEST_CASE("A spread of zero leaves the draws as they are") {
  Fit fit;
  add_parameter(fit, {.name = "kind.A"}, {0.1, 0.2, 0});
  spread_between_campaigns(fit, {"kind", PooledAs::share, 1, {}}, 0.0, RandomStreams(1, 0), 0);
  CHECK(fit.draws.rows[0][0] == Approx(0.1));
  CHECK(fit.draws.rows[1][0] == Approx(0.2));
  CHECK(fit.draws.rows[2][0] == 0);
}

}  // namespace gridcast::calibration
