#include <algorithm>

#include "sim/base/statistics.hpp"
#include "sim/running/step_laws.hpp"
#include "tests/test.hpp"

namespace gridcast::running {
namespace {

/// 100 jobs in the queue, of which 60 have started, one each minute.
std::vector<FirstWait> one_a_minute() {
  std::vector<FirstWait> jobs;
  for (int i = 1; i <= 100; ++i) jobs.push_back({Seconds(), minutes(i), i > 60});
  return jobs;
}

TEST_CASE("regular starts are independent observations of their rate", "[start_law]") {
  StartLaw const law(one_a_minute(), minutes(60));
  CHECK(law.starts() == 20);
  CHECK(law.gaps() == minutes(20));
  CHECK(law.independent() == Approx(20));
}

TEST_CASE("starts of one burst are one observation", "[start_law]") {
  std::vector<FirstWait> jobs(50, {Seconds(), minutes(10)});
  jobs.resize(80, {Seconds(), Seconds(), true});
  StartLaw const law(jobs, minutes(10));
  CHECK(law.independent() < 1.5);
}

TEST_CASE("jobs that wait start at the rate of the latest starts", "[start_law]") {
  StartLaw const law(one_a_minute(), minutes(60));
  std::vector<double> lasts;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    auto const times = law.draw(40, RandomStream(1, Purpose::test, i, 0));
    REQUIRE(times.size() == 40);
    CHECK(std::is_sorted(times.begin(), times.end()));
    lasts.push_back(times.back().value());
  }
  CHECK(median(lasts) == Approx(minutes(40).value()).epsilon(0.07));
}

TEST_CASE("the first start comes after as long again with even odds", "[start_law]") {
  StartLaw const law(std::vector<FirstWait>(3, {Seconds(), Seconds(), true}), minutes(10));
  int later = 0;
  for (std::uint32_t i = 0; i < 4000; ++i) {
    later += law.draw(3, RandomStream(1, Purpose::test, i, 0)).front() > minutes(10) ? 1 : 0;
  }
  CHECK(later / 4000.0 == Approx(0.5).margin(0.03));
}

}  // namespace
}  // namespace gridcast::running
