#include <algorithm>

#include "sim/ledger/metrics.hpp"
#include "sim/study/prediction.hpp"
#include "tests/test.hpp"

namespace gridcast::study {
namespace {

constexpr std::size_t replicas_a_draw = 2;

/// Four draws of two replicas each, all of whose figures are `first` and the replica's number, but
/// for those that failed.
BalancedForecast forecast(double first, std::vector<std::uint32_t> const& failed = {}) {
  std::size_t const width = ledger::metric_names(ledger::MetricScope::replica).size();
  PoolResult simulated;
  for (std::uint32_t replica = 0; replica < 8; ++replica) {
    if (std::find(failed.begin(), failed.end(), replica) == failed.end()) {
      simulated.records.emplace_back(replica, Record(width, first + replica));
    } else {
      simulated.failed.push_back({replica, "patience"});
    }
  }
  return balanced_forecast_of(std::move(simulated), replicas_a_draw);
}

std::vector<double> first_figures(BalancedForecast const& forecast) {
  return column(forecast.sample, forecast.sample.names.front());
}

TEST_CASE("a draw that lost a replica is left out whole", "[balanced_forecast]") {
  CHECK(first_figures(forecast(0)) == std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7});
  auto const part = forecast(0, {3, 4});
  CHECK(first_figures(part) == std::vector<double>{0, 1, 6, 7});
  CHECK(part.failed.size() == 2);
}

TEST_CASE("forecasts are mixed draw by draw, whichever replicas failed", "[balanced_forecast]") {
  auto const one = forecast(100), other = forecast(200);
  CHECK(first_figures(mixed({&one, &other}, replicas_a_draw)) ==
        std::vector<double>{100, 101, 104, 105, 202, 203, 206, 207});
  auto const hurt = forecast(100, {1});
  auto const rest = mixed({&hurt, &other}, replicas_a_draw);
  CHECK(first_figures(rest) == std::vector<double>{104, 105, 202, 203, 206, 207});
  CHECK(rest.failed.size() == 1);
}

}  // namespace
}  // namespace gridcast::study
