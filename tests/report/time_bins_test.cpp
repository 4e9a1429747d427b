#include "sim/report/time_bins.hpp"

#include "tests/test.hpp"

namespace gridcast::report {
namespace {

TEST_CASE("bins hold the mean of what flowed in them", "[time_bins]") {
  // 10 a second from 5 to 15, and 2 a second from 0 to 20, in bins of 10 s.
  std::vector<Stretch> const stretches = {{Seconds(5), Seconds(15), 10},
                                          {Seconds(0), Seconds(20), 2}};
  auto const bins = binned(stretches, Seconds(20), 2);
  CHECK(bins == std::vector<double>{7, 7});
  CHECK(peak(stretches) == 12);
}

TEST_CASE("what ends as another begins is not at the same time", "[time_bins]") {
  CHECK(peak({{Seconds(0), Seconds(1), 1}, {Seconds(1), Seconds(2), 1}}) == 1);
  CHECK(peak({}) == 0);
  CHECK(binned({}, Seconds(0), 3) == std::vector<double>{0, 0, 0});
}

}  // namespace
}  // namespace gridcast::report
