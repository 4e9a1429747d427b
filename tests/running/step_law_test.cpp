#include <cmath>

#include "sim/running/campaign_laws.hpp"
#include "tests/test.hpp"

namespace gridcast::running {
namespace {

RandomStream stream_of(std::uint32_t number) { return {1, Purpose::test, number, 0}; }

/// The share of draws for which `holds`.
double share(StepLaw const& law, Seconds age, auto const& holds) {
  constexpr int draws = 20000;
  int hits = 0;
  RandomStream stream = stream_of(7);
  for (int i = 0; i < draws; ++i) hits += holds(law.draw(age, stream)) ? 1 : 0;
  return static_cast<double>(hits) / draws;
}

TEST_CASE("the hazard of a step that ended is its share of the steps that lasted as long",
          "[step_law]") {
  StepLaw const law({{minutes(60), true, 1, 1},
                     {minutes(70), true, 1, 2},
                     {minutes(75), false},
                     {minutes(80), true, 1, 3}});
  auto const is = [&law](Seconds age, double length_min) {
    return share(law, age, [&](auto const& drawn) { return drawn.length == minutes(length_min); });
  };
  CHECK(is(Seconds(), 60) == Approx(1 - std::exp(-0.25)).margin(0.01));
  CHECK(is(Seconds(), 70) == Approx(std::exp(-0.25) * (1 - std::exp(-1.0 / 3))).margin(0.01));
  // The one that continues is no end, but it outlasted 70 min: at 80 min one step is left.
  CHECK(is(minutes(72), 80) == Approx(1 - std::exp(-1.0)).margin(0.01));
}

TEST_CASE("a weight counts as so many steps", "[step_law]") {
  StepLaw const law({{minutes(1), true, 3}, {minutes(2), true, 1}});
  double const first =
      share(law, Seconds(), [](auto const& drawn) { return drawn.length == minutes(1); });
  CHECK(first == Approx(1 - std::exp(-0.75)).margin(0.01));
}

TEST_CASE("exponential steps have no memory", "[step_law]") {
  constexpr int steps = 4000;
  std::vector<SeenStep> seen;
  for (int i = 0; i < steps; ++i) {
    seen.push_back({Seconds(-600 * std::log((i + 0.5) / steps))});
  }
  StepLaw const law(std::move(seen));
  for (double const age : {0.0, 600.0, 1200.0}) {
    double const longer = share(
        law, Seconds(age), [age](auto const& drawn) { return drawn.length.value() - age > 600; });
    CHECK(longer == Approx(std::exp(-1.0)).margin(0.02));
  }
}

TEST_CASE("a step takes longer than so far if none has ended", "[step_law]") {
  StepLaw const law({{minutes(10), false}, {minutes(30), false}});
  RandomStream stream = stream_of(3);
  for (int i = 0; i < 100; ++i) {
    auto const drawn = law.redrawn(stream_of(i)).draw(minutes(30), stream);
    CHECK(drawn.length >= minutes(30));
    CHECK_FALSE(drawn.of.has_value());
  }
}

TEST_CASE("steps of which none has ended are within one factor", "[step_law]") {
  // The longest of many such steps is nearly c. With alpha ~ max(1.5, Gamma(2, 1)),
  // P(c > 4) = P(alpha = 1.5) / 8 + integral of 4^-a a e^-a from 1.5 = 0.0553 + 0.0224.
  std::vector<SeenStep> seen(40, {minutes(20), false});
  StepLaw const law(std::move(seen));
  int beyond = 0;
  constexpr int futures = 4000;
  for (int i = 0; i < futures; ++i) {
    StepLaw const one = law.redrawn(stream_of(i));
    RandomStream stream = stream_of(futures + i);
    Seconds longest;
    for (int k = 0; k < 40; ++k) longest = std::max(longest, one.draw(minutes(20), stream).length);
    beyond += longest > minutes(80) ? 1 : 0;
  }
  CHECK(static_cast<double>(beyond) / futures == Approx(0.0777).margin(0.015));
}

TEST_CASE("a share of the holds never ends", "[step_law]") {
  // Half of forty holds ended after 10 to 30 min, the others continue after 5 h.
  std::vector<SeenStep> seen;
  for (int i = 0; i < 20; ++i) {
    seen.push_back({minutes(10 + i), true});
    seen.push_back({hours(5), false});
  }
  StepLaw const law(seen, days(1), OtherSteps::never_end);
  auto const endless = [](StepLaw::Drawn const& drawn) { return drawn.endless; };
  double fresh = 0, old = 0;
  constexpr std::uint32_t laws = 50;
  for (std::uint32_t i = 0; i < laws; ++i) {
    StepLaw const one = law.redrawn(stream_of(i));
    fresh += share(one, Seconds(), endless) / laws;
    old += share(one, hours(5), endless) / laws;
  }
  CHECK(fresh == Approx(0.5).margin(0.1));
  CHECK(old > 0.95);
}

TEST_CASE("a step that outlasts all others twice ends unlike them", "[step_law]") {
  StepLaw const law({{Seconds(30), true, 1, 7}, {hours(1), false}});
  CHECK(share(law, hours(1), [](auto const& drawn) { return drawn.of.has_value(); }) == 0);
}

}  // namespace
}  // namespace gridcast::running
