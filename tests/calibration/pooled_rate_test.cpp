#include "calibration/pooled_rate.hpp"

#include "sim/base/statistics.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

/// Draws of each site's rate.
std::vector<std::vector<double>> draws(std::vector<SiteCount> const& sites) {
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

TEST_CASE("Many events leave a site its own rate") {
  auto const rates = draws({{400, 100}, {100, 100}, {900, 100}});
  CHECK(median(rates[0]) == Approx(4).epsilon(0.03));
  CHECK(median(rates[1]) == Approx(1).epsilon(0.05));
  CHECK(median(rates[2]) == Approx(9).epsilon(0.03));
}

TEST_CASE("A site with few events is drawn towards the others") {
  auto const rates = draws({{10, 10}, {11, 10}, {9, 10}, {0, 2}});
  CHECK(median(rates[3]) > 0.3);
  CHECK(median(rates[3]) < median(rates[0]));
}

TEST_CASE("No event anywhere is an interval, not zero") {
  auto const rates = draws({{0, 50}, {0, 50}});
  for (auto const& site : rates) {
    CHECK(quantile(site, 0.05) > 0);
    CHECK(quantile(site, 0.95) > 1 / 200.0);
    CHECK(quantile(site, 0.95) < 6 / 50.0);
  }
}

TEST_CASE("A site never visited is as doubtful as sites differ") {
  auto const rates = draws({{100, 100}, {10, 100}, {0, 0}});
  double const width = quantile(rates[2], 0.95) - quantile(rates[2], 0.05);
  CHECK(width > quantile(rates[0], 0.95) - quantile(rates[0], 0.05));
  CHECK(median(rates[2]) > 0.02);
  CHECK(median(rates[2]) < 3);
}

}  // namespace gridcast::calibration
