// The laws of repeated executions: their odds, and how the odds depend on an execution's age.
#include <cmath>

#include "sim/running/campaign_laws.hpp"
#include "tests/test.hpp"

namespace gridcast::running {
namespace {

TEST_CASE("the odds fall with each repetition as under a beta law", "[ending_odds]") {
  EndingOdds const odds{3, 1};
  CHECK(odds.mean(0) == Approx(0.75));
  CHECK(odds.mean(4) == Approx(3.0 / 8));
  double sum = 0;
  RandomStream stream(1, Purpose::test, 0, 0);
  for (int i = 0; i < 4000; ++i) sum += odds.draw(4, stream);
  CHECK(sum / 4000 == Approx(3.0 / 8).margin(0.01));
}

TEST_CASE("jobs that are alike have a large size, others a small one", "[ending_odds]") {
  // Geometric numbers of repeats, p = 1/2: 512 end at once, 256 after one, ...
  std::vector<JobRepeats> alike;
  for (std::size_t repeats = 0, jobs = 512; jobs > 0; ++repeats, jobs /= 2) {
    for (std::size_t i = 0; i < jobs; ++i) alike.push_back({repeats, true});
  }
  EndingOdds const of_alike = EndingOddsPosterior(alike).middle();
  CHECK(of_alike.mean(0) == Approx(0.5).margin(0.05));
  CHECK(of_alike.a + of_alike.b > 20);

  std::vector<JobRepeats> apart(90, {0, true});
  apart.insert(apart.end(), 10, {40, false});
  EndingOdds const of_apart = EndingOddsPosterior(apart).middle();
  CHECK(of_apart.a + of_apart.b < 10);
  CHECK(of_apart.mean(40) < 0.2);
}

TEST_CASE("a repetition is unlikely after many jobs without one", "[ending_odds]") {
  EndingOdds const odds = EndingOddsPosterior(std::vector<JobRepeats>(400, {0, true})).middle();
  CHECK(odds.mean(0) > 0.99);
}

TEST_CASE("the share of repetitions comes from executions that lasted as long",
          "[share_of_repeats]") {
  ShareOfRepeats const share({{minutes(5), 1}, {minutes(8), 1}, {hours(1), 0}, {hours(1), 0}}, 0.5);
  CHECK(share.of(Seconds(), 0.5) == Approx(0.5));
  CHECK(share.of(minutes(6), 0.5) == Approx(1.0 / 3));
  CHECK(share.of(minutes(30), 0.5) == Approx(0).margin(1e-5));
  CHECK(share.of(hours(2), 0.5) == Approx(0.5));
  // Odds of 1/2 times the ratio of the odds of the job and of the campaign, 4.
  CHECK(share.of(minutes(6), 0.8) == Approx(2.0 / 3));
}

}  // namespace
}  // namespace gridcast::running
