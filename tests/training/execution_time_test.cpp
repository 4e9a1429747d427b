#include "sim/training/execution_time.hpp"

#include <cmath>
#include <vector>

#include "sim/base/statistics.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

scenario::SiteParameters site(Distribution const& epoch) {
  scenario::SiteParameters draw;
  draw.unpack = Seconds(977);
  draw.epoch = epoch;
  return draw;
}

RandomStream stream(std::uint32_t job) {
  return RandomStreams(1, 0).stream(Purpose::execution, job);
}

}  // namespace

TEST_CASE("unpacking, then each epoch at the pace of the execution") {
  Distribution const epoch{Family::lognormal, 0.3, 2000, 100};
  for (std::uint32_t job = 0; job < 50; ++job) {
    RandomStream one = stream(job), five = stream(job), pace = stream(job);
    double const seconds = epoch.sample(pace);
    CHECK(training::execution_time(site(epoch), 1, one).value() == Approx(977 + seconds));
    CHECK(training::execution_time(site(epoch), 5, five).value() == Approx(977 + 5 * seconds));
    // One draw, so that whatever is drawn next is the same for any number of epochs.
    CHECK(one.uniform() == five.uniform());
  }
}

TEST_CASE("no epochs, no training") {
  RandomStream random = stream(0);
  CHECK(training::execution_time(site({Family::lognormal, 0.3, 2000, 0}), 0, random) ==
        Seconds(977));
}

// Within three standard errors: missed for 0.27 % of the seeds; this one is fixed.
TEST_CASE("the mean is unpack + epochs x mean epoch") {
  Distribution const epoch{Family::gamma, 3, 700, 200};
  std::vector<double> seconds;
  for (std::uint32_t job = 0; job < 4000; ++job) {
    RandomStream random = stream(job);
    seconds.push_back(training::execution_time(site(epoch), 20, random).value());
  }
  double const error = standard_deviation(seconds) / std::sqrt(4000.0);
  CHECK(std::abs(mean(seconds) - (977 + 20 * epoch.mean())) <= 3 * error);
}

}  // namespace gridcast::test
