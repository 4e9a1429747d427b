#include <algorithm>

#include "sim/optimize/knob.hpp"
#include "tests/test.hpp"

namespace gridcast::optimize {
namespace {

/// A release that can be off, its number of times, and a timer.
SearchSpace release_space() {
  Dimension release{"release", Scale::logarithmic, 60, 43200, 1200, true};
  Dimension times{"times", Scale::whole, 1, 30, 10};
  times.applies = [](Point const& point) { return point[0].has_value(); };
  Dimension timer{"timer", Scale::logarithmic, 60, 21600, 3600};
  return {{release, times, timer}, {std::nullopt, 10, 3620}};
}

TEST_CASE("a setting has no value where it does not apply", "[optimize]") {
  auto const space = release_space();
  CHECK(space.start() == Point{std::nullopt, std::nullopt, 3620});
  CHECK(space.canonical({std::nullopt, 7, 3620}) == space.start());
  // Switched on, it has its usual value.
  CHECK(space.canonical({1200, std::nullopt, 3620}) == Point{1200, 10, 3620});
}

TEST_CASE("the space has values that a person writes, and keeps the start", "[optimize]") {
  auto const space = release_space();
  auto const rounded = [&](double timer) { return *space.canonical({{}, {}, timer})[2]; };
  CHECK(rounded(3620) == 3620);
  CHECK(rounded(3621) == 3600);
  CHECK(rounded(1234) == 1250);
  CHECK(rounded(61.7) == 62);
  CHECK(rounded(5) == 60);
  CHECK(rounded(1e9) == 21600);
  for (double x = 60; x < 21600; x *= 1.013) CHECK(rounded(x) == Approx(x).epsilon(0.026));
}

TEST_CASE("a single change comes with values of the settings that depend on it", "[optimize]") {
  auto const space = release_space();
  auto const points = space.single_changes(space.start(), 5);
  // Five releases, each with five other numbers of times, and five timers.
  CHECK(points.size() == 5 + 5 * 5 + 5);
  for (Point const& point : points) {
    CHECK(space.canonical(point) == point);
    CHECK((point[0] == space.start()[0]) != (point[2] == space.start()[2]));
  }
  auto const is_off = [](Point const& point) { return !point[0]; };
  auto const from_on = space.single_changes({1200, 10, 3620}, 5);
  CHECK(std::count_if(from_on.begin(), from_on.end(), is_off) == 1);
}

TEST_CASE("values of a setting are in their order, also where others depend on them",
          "[optimize]") {
  Dimension tries{"tries", Scale::whole, 1, 9, 3};
  tries.applies = [](Point const& point) { return point[1] < 5; };
  Dimension limit{"limit", Scale::whole, 1, 9, 2};
  SearchSpace const space({tries, limit}, {3, 2});
  std::vector<double> limits;
  for (Point const& point : space.values_of(1, space.start(), 8)) limits.push_back(*point[1]);
  CHECK(limits == std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("a setting that goes with another one is also changed together with it", "[optimize]") {
  Dimension cache{"next cache", Scale::choice, 0, 1};
  Dimension release{"release", Scale::logarithmic, 60, 43200, 1200, true};
  release.with = 0;
  SearchSpace const space({cache, release}, {0, std::nullopt});
  // The other choice, five releases, and both.
  CHECK(space.single_changes(space.start(), 5).size() == 1 + 5 + 5);
}

TEST_CASE("changes that do no good are taken back, harmful ones as well", "[optimize]") {
  auto const space = release_space();
  Point const all = {1200, 20, 600};
  // The release serves, its number of times makes no difference, and the timer does harm.
  auto const value = [](Point const& point) {
    return (point[0] ? 10 : 0) - (point[2] == 600 ? 5 : 0);
  };
  auto const serves = [&](Point const& point) { return value(point) >= value(all); };
  CHECK(space.simplest(all, serves) == Point{1200, 10, 3620});
  // Without the release its number of times has no value.
  CHECK(space.without(all, 0) == Point{{}, {}, 600});
  CHECK(space.simplest(all, [](Point const&) { return true; }) == space.start());
  CHECK(space.simplest(all, [](Point const&) { return false; }) == all);
}

TEST_CASE("drawn points are in the space", "[optimize]") {
  auto const space = release_space();
  auto stream = RandomStreams(1, 0).stream(Purpose::test, 0);
  for (int i = 0; i < 200; ++i) {
    auto const point = space.random_from(space.start(), 0.5, stream);
    CHECK(space.canonical(point) == point);
    CHECK(point[0].has_value() == point[1].has_value());
    CHECK(*point[2] >= 60);
    CHECK(*point[2] <= 21600);
  }
}

}  // namespace
}  // namespace gridcast::optimize
