#include <cmath>

#include "sim/base/random.hpp"
#include "sim/running/step_laws.hpp"
#include "tests/test.hpp"

namespace gridcast::running {
namespace {

/// The quantile p of lengths whose logarithms are normal, around an hour.
Seconds lognormal(double p, double sd) { return Seconds(3600 * std::exp(sd * normal_quantile(p))); }

double mean_of(LongStepsPosterior const& posterior, auto const& value) {
  constexpr int draws = 1000;
  double sum = 0;
  for (int i = 0; i < draws; ++i) sum += value(posterior.draw((i + 0.5) / draws));
  return sum / draws;
}

TEST_CASE("the length of a usual step is a lognormal variable beyond its age", "[long_steps]") {
  LongSteps const law{std::log(3600), 0.5, 1};
  CHECK(law.share_of_usual(hours(20)) == 1);
  // At the median, half of the longer ones are below the upper quartile.
  CHECK(law.length_beyond(hours(1), 0.5) / lognormal(0.75, 0.5) == Approx(1));
  CHECK(law.length_beyond(lognormal(0.9, 0.5), 0.2) / lognormal(0.98, 0.5) == Approx(1));
  // Far beyond: of the steps that take 300 times the median, half take another 6 %.
  Seconds const far = hours(300);
  CHECK(law.length_beyond(far, 0.5) > far);
  CHECK(law.length_beyond(far, 0.5) < far * 1.06);
}

TEST_CASE("half of the steps that outlast all usual ones by far are of another kind",
          "[long_steps]") {
  LongSteps const law{std::log(3600), 0.5, 0.5};
  CHECK(law.share_of_usual(Seconds(1)) == Approx(0.5));
  CHECK(law.share_of_usual(hours(1)) == Approx(0.25 / 0.75));
  CHECK(law.share_of_usual(hours(20)) < 1e-6);
}

TEST_CASE("steps that all ended show their law", "[long_steps]") {
  std::vector<SeenStep> seen;
  for (int i = 0; i < 400; ++i) seen.push_back({lognormal((i + 0.5) / 400, 0.6), true});
  LongStepsPosterior const posterior(seen);
  CHECK(mean_of(posterior, [](auto const& law) { return law.mean; }) ==
        Approx(std::log(3600)).margin(0.05));
  CHECK(mean_of(posterior, [](auto const& law) { return law.sd; }) == Approx(0.6).margin(0.06));
  CHECK(mean_of(posterior, [](auto const& law) { return law.usual; }) > 0.95);
}

TEST_CASE("of jobs that started together, the first ends show that the others take long",
          "[long_steps]") {
  // Twelve of sixty have ended. The last of sixty takes seven times as long as the twelfth.
  std::vector<SeenStep> seen;
  for (int i = 0; i < 60; ++i) {
    double const p = std::min(i, 12) + 0.5;
    seen.push_back({lognormal(p / 60, 0.8), i < 12});
  }
  LongStepsPosterior const posterior(seen);
  Seconds const now = seen.back().length;
  double const beyond = mean_of(posterior, [&](LongSteps const& law) {
    // Some of 48 steps are usual, and the longest of them outlasts the middle of the true law.
    double const usual = 48 * law.share_of_usual(now);
    bool const longer = usual >= 1 && law.length_beyond(now, 1 / (usual + 1)) > now * 3;
    return longer ? 1.0 : 0.0;
  });
  CHECK(beyond > 0.3);
}

TEST_CASE("a gap behind the ended steps shows steps of another kind", "[long_steps]") {
  std::vector<SeenStep> seen;
  for (int i = 0; i < 400; ++i) seen.push_back({lognormal((i + 0.5) / 400, 0.3), true});
  for (int i = 0; i < 100; ++i) seen.push_back({hours(5), false});
  LongStepsPosterior const posterior(seen);
  CHECK(mean_of(posterior, [](auto const& law) { return law.usual; }) == Approx(0.8).margin(0.05));
  CHECK(mean_of(posterior, [](auto const& law) { return law.share_of_usual(hours(5)); }) < 0.01);
}

TEST_CASE("without an ended step none is usual", "[long_steps]") {
  LongStepsPosterior const posterior({{hours(1), false}});
  CHECK(posterior.draw(0.5).share_of_usual(hours(1)) == 0);
}

TEST_CASE("programs that fail early do not widen the law of lengths", "[long_steps]") {
  std::vector<SeenStep> seen;
  for (int i = 0; i < 40; ++i) {
    double const z = normal_quantile((i + 0.5) / 40);
    seen.push_back({Seconds(3600 * std::exp(0.3 * z)), true});
    seen.push_back({Seconds(30 + i), true, 1, 0, false, false});
  }
  LongStepsPosterior const posterior(seen);
  CHECK(mean_of(posterior, [](LongSteps const& law) { return law.sd; }) ==
        Approx(0.3).margin(0.05));
  CHECK(mean_of(posterior, [](LongSteps const& law) { return law.mean; }) ==
        Approx(std::log(3600)).margin(0.1));
}

}  // namespace
}  // namespace gridcast::running
