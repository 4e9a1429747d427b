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

TEST_CASE("the replicas that meet a deadline are counted, and the answer is kept in JSON",
          "[deadline]") {
  // Of 200 campaigns one is late: quantiles in hundredths do not show that.
  std::vector<test::Figures> campaigns(199, test::figures(7200, 10000, 2));
  campaigns.push_back(test::figures(7200, 90000, 2));
  Result result = result_of(test::fake_prediction(campaigns));
  ask_deadline(result, Seconds(20000));
  auto const& strategy = result.strategies.front();
  CHECK(met_by(result, strategy, Seconds(20000)).share == Approx(0.995));
  CHECK(met_by(result, strategy, Seconds(9000)).share == 0);
  CHECK(met_by(result, strategy, Seconds(90000)).share == 1);
  auto const read = test::read_back(result);
  CHECK(read.deadline == Seconds(20000));
  CHECK(met_by(read, read.strategies.front(), Seconds(20000)).share == Approx(0.995));
  CHECK(met_by(read, read.strategies.front(), Seconds(20000)).n == 200);
}

}  // namespace
}  // namespace gridcast::report
