#include "calibration/inference/campaign_spread.hpp"

#include <algorithm>
#include <cmath>

#include "calibration/inference/partial_pooling.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

/// Two campaigns differ by sqrt(2) z: tau has the scale 1.
engine::FactorLaw const usual{1, std::sqrt(2.0), 0};

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

std::vector<double> normals(std::size_t n) {
  return stratified_draws(test_stream(7), n, normal_quantile);
}

std::vector<double> taus_of(CampaignSpread const& spread, std::size_t n) {
  std::vector<double> taus;
  for (auto const& next : spread.draws(test_stream(1), normals(n))) taus.push_back(next.tau);
  return taus;
}

double mean_tau(std::vector<SiteCount> const& counts) {
  return mean(taus_of(CampaignSpread(counts, PooledAs::rate, usual), 400));
}

std::vector<double> changes_of(CampaignSpread const& spread) {
  std::vector<double> changes;
  for (auto const& next : spread.draws(test_stream(1), normals(4000)))
    changes.push_back(next.change);
  return changes;
}

}  // namespace

// A lognormal law with mean one and a standard deviation of 0.5: the median is exp(-1/8).
TEST_CASE("After one campaign the next differs by the law of repeated jobs") {
  auto const changes = changes_of(CampaignSpread({{50, 100}}, PooledAs::rate, {1, 0.5, 0}));
  CHECK(median(changes) == Approx(-0.125).margin(0.01));
  CHECK(standard_deviation(changes) == Approx(0.5).epsilon(0.02));
  std::vector<double> factors;
  for (double const change : changes) factors.push_back(std::exp(change));
  CHECK(mean(factors) == Approx(1).epsilon(0.02));
}

// 12 campaigns show tau with a relative error of about 1 / sqrt(24), 20 %; 3 of these are the
// bounds.
TEST_CASE("Several campaigns show their spread") {
  CHECK(mean_tau(campaigns(12, 0.8, 5)) == Approx(0.8).epsilon(0.6));
  CHECK(mean_tau(campaigns(12, 0, 5)) < 0.15);
  CHECK(mean_tau(campaigns(12, 0.8, 5)) > 3 * mean_tau(campaigns(12, 0, 5)));
}

// Five weeks of 10 events in 100 s and one of 1,000: the rate of all together is 105 in 600 s, more
// than in any usual week.
TEST_CASE("The next week is like the middle of the weeks, not like all of them together") {
  std::vector<SiteCount> weeks(5, {10, 1000});
  weeks.push_back({1000, 1000});
  auto const changes = changes_of(CampaignSpread(weeks, PooledAs::rate, usual));
  double const all = 1050. / 6000;
  CHECK(all * std::exp(median(changes)) ==
        Approx(0.022).epsilon(0.5));  // exp of the mean logarithm
  CHECK(all * std::exp(quantile(changes, 0.95)) > 0.5);
}

// The same holds for odds; weeks that are alike leave the next as they are.
TEST_CASE("Weeks that are alike show the next") {
  for (PooledAs const as : {PooledAs::rate, PooledAs::share}) {
    auto const changes =
        changes_of(CampaignSpread(std::vector<SiteCount>(8, {300, 1000}), as, usual));
    CHECK(median(changes) == Approx(0).margin(0.05));
    CHECK(standard_deviation(changes) < 0.2);
  }
}

TEST_CASE("A spread makes no rate larger than is possible") {
  Fit fit;
  add_parameter(fit, {.name = "kind.A"}, std::vector<double>(200, 1e-5));
  CampaignKind const kind{.parameter = "kind", .most = 1e-3};
  spread_between_campaigns(fit, kind, 4, RandomStreams(1, 0));
  double largest = 0;
  for (auto const& row : fit.draws.rows) largest = std::max(largest, row[0]);
  CHECK(largest == 1e-3);
}

// exp(tau sqrt(1 + 1/1) z) with tau stated; odds of small probabilities are nearly rates.
TEST_CASE("Draws get the next campaign's value, intervals keep this one's") {
  for (PooledAs const as : {PooledAs::rate, PooledAs::share}) {
    Fit fit;
    add_parameter(fit, {.name = "kind.A", .estimate = 1e-4}, std::vector<double>(2000, 1e-4));
    add_parameter(fit, {.name = "kind.B", .estimate = 2e-4}, std::vector<double>(2000, 2e-4));
    spread_between_campaigns(fit, {"kind", as, usual, {{10, 100}}}, 0.5, RandomStreams(1, 0));
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

TEST_CASE("Rates shrink by the factor by which times grow") {
  Fit fit;
  add_parameter(fit, {.name = "time_s.A"}, std::vector<double>(50, 3));
  add_parameter(fit, {.name = "speed.A"}, std::vector<double>(50, 7));
  add_parameter(fit, {.name = "other.A"}, std::vector<double>(50, 5));
  CampaignKind const kind{.parameter = "time_s", .inverse = "speed"};
  spread_between_campaigns(fit, kind, 0.5, RandomStreams(1, 0));
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
  spread_between_campaigns(fit, {"kind", PooledAs::share}, 0.0, RandomStreams(1, 0));
  CHECK(fit.draws.rows[0][0] == Approx(0.1));
  CHECK(fit.draws.rows[1][0] == Approx(0.2));
  CHECK(fit.draws.rows[2][0] == 0);
}

TEST_CASE("A parameter that is only in some draws is there or not at all sites together") {
  Fit fit;
  fit.draws.add("disconnect_per_s.A", std::vector<double>(40, 1));
  fit.draws.add("disconnect_per_s.B", std::vector<double>(40, 2));
  fit.draws.add("disconnect_per_second", std::vector<double>(40, 3));
  only_in(fit, "disconnect_per_s", seen_once_goes_on, test_stream(3));
  int there = 0;
  for (std::vector<double> const& row : fit.draws.rows) {
    there += row[0] > 0;
    CHECK(row[1] == 2 * row[0]);
    CHECK(row[2] == 3);
  }
  CHECK(there == 30);
}

}  // namespace gridcast::calibration
