#include "sim/report/usual_replica.hpp"

#include <limits>

#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

TEST_CASE("the replica shown is in the middle of all three figures", "[usual_replica]") {
  // The third has the median of badput, but the fewest successes and the longest makespan.
  auto const sample = test::fake_sample({test::figures(100, 1000, 2), test::figures(500, 1100, 2),
                                         test::figures(300, 9000, 0), test::figures(310, 1200, 1),
                                         test::figures(200, 1300, 1)});
  CHECK(usual_replica(sample) == 3);
}

TEST_CASE("of replicas alike the first, and what none has does not count", "[usual_replica]") {
  double const none = std::numeric_limits<double>::quiet_NaN();
  CHECK(usual_replica(test::fake_sample({test::figures(5, 7, 1), test::figures(5, 7, 1)})) == 0);
  CHECK(usual_replica(test::fake_sample({test::figures(9, none, 1), test::figures(1, none, 1),
                                         test::figures(5, none, 1)})) == 2);
}

}  // namespace
}  // namespace gridcast::report
