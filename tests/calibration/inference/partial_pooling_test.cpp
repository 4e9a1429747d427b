#include "calibration/inference/partial_pooling.hpp"

#include <cmath>
#include <numbers>

#include "sim/base/statistics.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

struct Draws {
  std::vector<double> centers;
  std::vector<double> spreads;
};

Draws draws(SiteSpread const& spread) {
  Draws all;
  RandomStream stream = test_stream(1);
  for (int i = 0; i < 4000; ++i) {
    SiteSpread::Draw const draw = spread.draw(stream);
    all.centers.push_back(draw.center);
    all.spreads.push_back(draw.spread);
  }
  return all;
}

/// Draws of each site's rate.
std::vector<std::vector<double>> rate_draws(std::vector<SiteCount> const& sites) {
  PooledRate const pooled(sites);
  std::vector<std::vector<double>> rates(sites.size());
  RandomStream stream = test_stream(7);
  for (int i = 0; i < 2000; ++i) {
    std::vector<double> const draw = pooled.draw(stream);
    for (std::size_t s = 0; s < sites.size(); ++s) rates[s].push_back(draw[s]);
  }
  return rates;
}

}  // namespace

TEST_CASE("Sites that agree leave a small spread, sites that differ a large one") {
  Draws const alike =
      draws(SiteSpread({2.0, 2.01, 1.99, 2.0, 2.02, 1.98}, std::vector<double>(6, 1e-4)));
  Draws const apart =
      draws(SiteSpread({1.0, 3.0, 2.0, 1.5, 2.5, 2.0}, std::vector<double>(6, 1e-4)));
  CHECK(median(alike.spreads) < 0.1);
  CHECK(median(apart.spreads) > 0.5);
  CHECK(median(alike.centers) == Approx(2).margin(0.03));
  CHECK(median(apart.centers) == Approx(2).margin(0.1));
}

TEST_CASE("One site says nothing of the spread: its prior stays") {
  Draws const one = draws(SiteSpread({5.0}, {0.01}));
  // Half-normal(1): median 0.6745.
  CHECK(median(one.spreads) == Approx(0.6745).margin(0.05));
  CHECK(median(one.centers) == Approx(5).margin(0.1));
}

TEST_CASE("The spread is never nothing") {
  for (double const spread : draws(SiteSpread({1, 1, 1}, {0.1, 0.1, 0.1})).spreads) {
    CHECK(spread > 0);
  }
}

// One site with n = 40 events in 1,000 s of which w = 30 are of another kind. The expectations
// weigh draws of the prior (mu log-uniform over five decades around n / time, times mu^(1/2); tau
// half-normal(1); rate Gamma) with Poisson(40 | 1,000 rate + 30): mean 0.0082, standard deviation
// 0.0062. The mean of 2,000 draws has a standard error of 2 %.
TEST_CASE("A rate leaves out events of another kind, with the uncertainty that this causes") {
  auto const with = rate_draws({{40, 1000, 30}}).front();
  auto const without = rate_draws({{40, 1000, 0}}).front();
  CHECK(mean(without) == Approx(0.040).epsilon(0.06));
  CHECK(mean(with) == Approx(0.0082).epsilon(0.08));
  CHECK(standard_deviation(with) == Approx(0.0062).epsilon(0.1));
  CHECK(*std::min_element(with.begin(), with.end()) >= 0);
  // So many that they come in steps: s = 1,000 of 3,000, sd sqrt(3,000) = 55 nearly.
  auto const many = rate_draws({{3000, 1000, 2000}}).front();
  CHECK(mean(many) == Approx(1).epsilon(0.02));
  CHECK(standard_deviation(many) == Approx(0.055).epsilon(0.15));
  // As many as were to be expected: the rate may be next to nothing, which the count alone rules
  // out.
  auto const all = rate_draws({{9, 1000, 9}}).front();
  CHECK(quantile(all, 0.05) < 0.0005);
  CHECK(quantile(rate_draws({{9, 1000, 0}}).front(), 0.05) > 0.004);
}

TEST_CASE("Many events leave a site its own rate") {
  auto const rates = rate_draws({{400, 100}, {100, 100}, {900, 100}});
  CHECK(median(rates[0]) == Approx(4).epsilon(0.03));
  CHECK(median(rates[1]) == Approx(1).epsilon(0.05));
  CHECK(median(rates[2]) == Approx(9).epsilon(0.03));
}

TEST_CASE("A site with few events is drawn towards the others") {
  auto const rates = rate_draws({{10, 10}, {11, 10}, {9, 10}, {0, 2}});
  CHECK(median(rates[3]) > 0.3);
  CHECK(median(rates[3]) < median(rates[0]));
}

TEST_CASE("No event anywhere is an interval, not zero") {
  auto const rates = rate_draws({{0, 50}, {0, 50}});
  for (auto const& site : rates) {
    CHECK(quantile(site, 0.05) > 0);
    CHECK(quantile(site, 0.95) > 1 / 200.0);
    CHECK(quantile(site, 0.95) < 6 / 50.0);
  }
}

TEST_CASE("A site never visited is as doubtful as sites differ") {
  auto const rates = rate_draws({{100, 100}, {10, 100}, {0, 0}});
  double const width = quantile(rates[2], 0.95) - quantile(rates[2], 0.05);
  CHECK(width > quantile(rates[0], 0.95) - quantile(rates[0], 0.05));
  CHECK(median(rates[2]) > 0.02);
  CHECK(median(rates[2]) < 3);
}

TEST_CASE("A site's probability is its own with many trials, the others' with few") {
  PooledShare const pooled({{30, 100}, {3, 100}, {0, 2}, {0, 0}});
  RandomStream stream = test_stream(8);
  std::vector<std::vector<double>> shares(4);
  for (int i = 0; i < 2000; ++i) {
    std::vector<double> const draw = pooled.draw(stream);
    for (std::size_t s = 0; s < 4; ++s) shares[s].push_back(draw[s]);
  }
  CHECK(median(shares[0]) == Approx(0.3).margin(0.02));
  CHECK(median(shares[1]) == Approx(0.032).margin(0.008));
  CHECK(standard_deviation(shares[0]) == Approx(std::sqrt(0.3 * 0.7 / 100)).epsilon(0.1));
  CHECK(quantile(shares[2], 0.95) > quantile(shares[1], 0.95));
  CHECK(quantile(shares[2], 0.95) < quantile(shares[3], 0.95));
}

TEST_CASE("With one site and no event a rate has the posterior of its prior") {
  // Two sites alike with 100 events each in 10: the pooled rate is 10, and sites hardly differ.
  auto const rates = rate_draws({{100, 10}, {100, 10}});
  CHECK(median(rates[0]) == Approx(10).epsilon(0.02));
  CHECK(standard_deviation(rates[0]) < 1.05);
  CHECK(standard_deviation(rates[0]) > 0.65);
}

TEST_CASE("The file describes the columns of pooled events") {
  Fit fit;
  add_pooled(fit, PooledAs::share, "crash", "crashes", {"A", "B"}, {{12, 40}, {0, 10}}, {50}, 400,
             test_stream(1));
  CHECK(fit.draws.columns == std::vector<std::string>{"crash.A", "crash.B"});
  CHECK(line(fit, "crash.A").unit == "1");
  CHECK(line(fit, "crash.A").method == "crashes: 12 / 40; beta-binomial, sites pooled");
  // Expected 9.6 and 2.4: 0.6 + 2.4.
  CHECK(line(fit, "crash.A").fit == "sites alike: chi2 3.0 with 1 degree");
  CHECK(line(fit, "crash.A").interval90.low > 0.15);
  CHECK(line(fit, "crash.B").interval90.low == 0);
  CHECK(line(fit, "crash.B").events == 0);
  add_pooled(fit, PooledAs::rate, "evict", "evictions", {"A", "B"}, {{0, 500}, {0, 0}}, {50}, 400,
             test_stream(1));
  CHECK(line(fit, "evict.A").unit == "1/s");
  CHECK(line(fit, "evict.A").method == "evictions: 0 in 500 s; gamma-Poisson, sites pooled");
  CHECK(not_identified(fit, "evict"));
  add_pooled(fit, PooledAs::share, "hang", "hangs", {"A"}, {{0, 2}}, {2}, 400, test_stream(1));
  CHECK(line(fit, "hang.A").interval90.high <= 1);
}

// Beta(1/2, 1/2): of 0 attempts nothing is known; 1 attempt misses it with 1/2; of two, with 3/8.
TEST_CASE("That something exists is the less probable the more attempts did not meet it") {
  CHECK(Unseen{0}.exists() == Approx(0.5));
  CHECK(Unseen{1}.exists() == Approx(1.0 / 3));
  CHECK(Unseen{2}.exists() == Approx(3.0 / 11));
  CHECK(Unseen{1, 0.9}.exists() == Approx(9.0 / 11));
  // Stirling: 1 / (1 + sqrt(pi n)).
  CHECK(Unseen{1e4}.exists() == Approx(1 / (1 + std::sqrt(std::numbers::pi * 1e4))).epsilon(1e-4));
}

// One attempt: a third of the draws have it. With one site and little spread its rate is near
// Gamma(1/2, time) there, whose 90 % quantile is 1.35 / time; the spread between sites, which one
// site says nothing of, makes it wider.
TEST_CASE("An event that nobody saw exists in few draws, and has its limit in these") {
  Fit fit;
  add_pooled(fit, PooledAs::rate, "hang", "hangs", {"A", "B"}, {{0, 500}, {0, 100}}, {1}, 300,
             test_stream(1));
  std::size_t some = 0;
  for (auto const& row : fit.draws.rows) {
    CHECK((row[0] > 0) == (row[1] > 0));
    some += row[0] > 0 ? 1 : 0;
  }
  CHECK(some == 100);
  CHECK(line(fit, "hang.A").origin == Origin::by_default);
  CHECK(line(fit, "hang.A").interval90.low == 0);
  CHECK(line(fit, "hang.A").interval90.high > 0.5 * 1.35 / 600);
  CHECK(line(fit, "hang.A").interval90.high < 2 * 1.35 / 500);
  CHECK(line(fit, "hang.B").interval90.high > line(fit, "hang.A").interval90.high);
}

}  // namespace gridcast::calibration
