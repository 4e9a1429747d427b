#include <cmath>

#include "sim/report/data/result.hpp"
#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

TEST_CASE("the share of replicas by a time is read off quantiles, some of which may be never",
          "[deadline]") {
  std::vector<Seconds> times = {Seconds(100), Seconds(200), Seconds(200), Seconds(400)};
  CHECK(share_by(times, Seconds(50)) == 0);
  CHECK(share_by(times, Seconds(150)) == Approx(1.0 / 6));
  CHECK(share_by(times, Seconds(200)) == Approx(2.0 / 3));
  CHECK(share_by(times, Seconds(300)) == Approx(5.0 / 6));
  CHECK(share_by(times, Seconds(400)) == 1);
  CHECK(std::isnan(share_by({}, Seconds(1))));
  times.back() = Seconds(std::numeric_limits<double>::infinity());
  CHECK(share_by(times, Seconds(1e9)) == Approx(2.0 / 3));
}

}  // namespace
}  // namespace gridcast::report
