#include <cmath>

#include "calibration/processes/evidence.hpp"
#include "sim/base/random.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {
namespace {

TEST_CASE("without an event the length of an event has its prior", "[calibration]") {
  EventLength const length({0, 0, 0, 100});
  CHECK(length.in_time() == Approx(0.5));
  CHECK(length.quantile(0.5) == Approx(std::sqrt(60.0 * 7200.0)).epsilon(0.01));
  CHECK(length.quantile(0) == Approx(60).epsilon(0.01));
  CHECK(length.quantile(1) == Approx(7200).epsilon(0.01));
}

TEST_CASE("few hits of a fast queue exclude a long event", "[calibration]") {
  // At a start each second, an hour would have hit thousands.
  EventLength const fast({1, 14, 1.0, 100});
  CHECK(fast.quantile(0.5) < 150);
  CHECK(fast.in_time() < 0.3);
  // At a start each five minutes, 15 hits take an hour.
  EventLength const slow({1, 14, 1.0 / 300, 100});
  CHECK(slow.quantile(0.5) > 3000);
}

TEST_CASE("thousands of events have a length, too", "[calibration]") {
  // The hits of so many events are those of their mean length: 14 = r L.
  EventLength const many({5000, 70000, 0.02, 200000});
  CHECK(many.quantile(0.5) == Approx(14 / 0.02).epsilon(0.05));
  CHECK(std::isfinite(many.in_time()));
  // No event hit another start, at a pace that excludes long ones.
  EventLength const none({5000, 0, 0.02, 200000});
  CHECK(none.quantile(0.5) < 70);
  EventLength const unmeasured({2, 0, 0, 100});
  CHECK(unmeasured.quantile(0.5) == Approx(std::sqrt(60.0 * 7200.0)).epsilon(0.01));
}

/// Starts that follow the first one while an exponential time lasts.
int starts_within(double seconds, double pace, RandomStream& stream) {
  int starts = 0;
  for (double at = stream.exponential() / pace; at < seconds; at += stream.exponential() / pace) {
    ++starts;
  }
  return starts;
}

TEST_CASE("posteriors of simulated events have the coverage that they state", "[calibration]") {
  constexpr int campaigns = 3000, jobs = 100, events = 2;
  constexpr double pace = 0.02;
  RandomStream stream = RandomStreams(5, 0).stream(Purpose::bootstrap, 0);
  int in_time = 0, below = 0;
  double probability = 0;
  for (int i = 0; i < campaigns; ++i) {
    bool const lasts = stream.chance(0.5);
    double const mean_time = 60 * std::pow(120.0, stream.uniform());
    double const mean_starts = std::pow(static_cast<double>(jobs), stream.uniform());
    int further = 0;
    for (int event = 0; event < events; ++event) {
      further += lasts ? starts_within(mean_time * stream.exponential(), pace, stream)
                       : static_cast<int>(poisson_quantile(stream.uniform(), mean_starts));
    }
    EventLength const length({events, further, pace, jobs});
    probability += length.in_time();
    in_time += lasts ? 1 : 0;
    below += lasts && mean_time < length.quantile(0.8) ? 1 : 0;
  }
  CHECK(probability / campaigns == Approx(static_cast<double>(in_time) / campaigns).margin(0.03));
  CHECK(static_cast<double>(below) / in_time == Approx(0.8).margin(0.03));
}

}  // namespace
}  // namespace gridcast::calibration
