#include <algorithm>
#include <cmath>

#include "sim/base/statistics.hpp"
#include "sim/running/campaign_laws.hpp"
#include "tests/test.hpp"

namespace gridcast::running {
namespace {

/// Two executions for each length, one after the other.
std::vector<EndedExecution> twice(std::vector<double> const& lengths) {
  std::vector<EndedExecution> executions;
  for (double const length : lengths) {
    for (int i = 0; i < 2; ++i) {
      executions.push_back({Seconds(gridcast::count(executions.size())), Seconds(length)});
    }
  }
  return executions;
}

TEST_CASE("a pace that did not change is expected to change less", "[pace_change]") {
  CHECK(pace_change(twice({60, 60, 60, 60})) == Approx(0.9 / 2));
}

TEST_CASE("a pace that changed is expected to change again", "[pace_change]") {
  // Blocks of 60, 60, 120 and 120 s: the squares of the logarithms' deviations add up to (ln 2)^2.
  double const squares = std::pow(std::log(2.0), 2);
  auto executions = twice({60, 60, 120, 120});
  CHECK(pace_change(executions) == Approx(std::sqrt((0.9 * 0.9 + squares) / 4)));
  // The order of the ends counts, not that of the jobs.
  std::rotate(executions.begin(), executions.begin() + 3, executions.end());
  CHECK(pace_change(executions) == Approx(std::sqrt((0.9 * 0.9 + squares) / 4)));
  CHECK(pace_change(twice({1, 1000, 1, 100'000})) == Approx(1.5));
}

TEST_CASE("a few executions say nothing about changes", "[pace_change]") {
  auto few = twice({1, 1000, 1, 1000});
  few.pop_back();
  CHECK(pace_change(few) == Approx(0.9));
}

}  // namespace
}  // namespace gridcast::running
