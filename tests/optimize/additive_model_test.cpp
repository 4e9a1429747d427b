#include "sim/optimize/additive_model.hpp"

#include "sim/base/random.hpp"
#include "tests/test.hpp"

namespace gridcast::optimize {
namespace {

SearchSpace space() {
  return {{{"choice", Scale::choice, 0, 2},
           {"time", Scale::logarithmic, 1, 100, 10},
           {"switch", Scale::choice, 0, 1},
           {"count", Scale::whole, 0, 10, 5, true}},
          {0, 10, 0, std::nullopt}};
}

/// The choice 2 adds 0.3, the time has its best value in the middle, and the count adds 0.2.
double truth(Point const& point) {
  double const share = std::log(*point[1]) / std::log(100.0) - 0.5;
  return (point[0] == 2.0 ? 0.3 : 0) - share * share + (point[3] ? 0.2 : 0);
}

/// What a replica's points share is larger than the effects.
Simulate noisy_scores() {
  return [](std::vector<Trial> const& trials) {
    std::vector<double> scores;
    for (Trial const& trial : trials) {
      RandomStreams const streams(11, trial.replica);
      auto common = streams.stream(Purpose::test, 1);
      std::uint32_t which = 2;
      for (auto const& value : trial.point) {
        which = which * 31 + static_cast<std::uint32_t>(10 * value.value_or(-1));
      }
      auto own = streams.stream(Purpose::test, which);
      scores.push_back(truth(trial.point) + 2 * normal_quantile(common.uniform()) +
                       0.3 * normal_quantile(own.uniform()));
    }
    return scores;
  };
}

struct Tried {
  SearchSpace const of = space();
  Budget budget = Budget::of_replicas(100000);
  Scoreboard board{noisy_scores(), budget};
  std::vector<Point> points;

  Tried() {
    auto stream = RandomStreams(5, 0).stream(Purpose::test, 3);
    for (std::size_t i = 0; i < 80; ++i) points.push_back(of.random_from(of.start(), 0.7, stream));
    // Some points have more replicas than others.
    board.extend(points, 5);
    board.extend({points.front(), points.back()}, 20);
  }
};

TEST_CASE("the effects of settings are found in few campaigns of many points", "[optimize]") {
  Tried const tried;
  AdditiveModel const model(tried.of, tried.board, tried.points);
  auto const difference = [&](Point const& one, Point const& other) {
    return model.predicted(one) - model.predicted(other);
  };
  Point const start = tried.of.start();
  auto const with = [&](std::size_t i, std::optional<double> value) {
    Point point = start;
    point[i] = value;
    return point;
  };
  CHECK(difference(with(0, 2), start) == Approx(0.3).margin(0.12));
  CHECK(difference(with(0, 1), start) == Approx(0).margin(0.12));
  CHECK(difference(with(2, 1), start) == Approx(0).margin(0.1));
  CHECK(difference(with(3, 5), start) == Approx(0.2).margin(0.12));
  CHECK(difference(with(1, 100), start) == Approx(-0.25).margin(0.12));
  CHECK(difference(with(1, 1), start) == Approx(-0.25).margin(0.12));
}

TEST_CASE("the estimate of a point is closer to the truth than its mean score", "[optimize]") {
  Tried const tried;
  AdditiveModel const model(tried.of, tried.board, tried.points);
  // Relative to the mean of all points, as both are known up to a constant.
  double truths = 0, means = 0, estimates = 0;
  for (Point const& point : tried.points) {
    truths += truth(point);
    means += tried.board.mean_score(point);
    estimates += model.estimated(point);
  }
  double const n = static_cast<double>(tried.points.size());
  double of_means = 0, of_estimates = 0;
  for (Point const& point : tried.points) {
    double const right = truth(point) - truths / n;
    of_means += square(tried.board.mean_score(point) - means / n - right);
    of_estimates += square(model.estimated(point) - estimates / n - right);
  }
  CAPTURE(of_means, of_estimates);
  CHECK(of_estimates < of_means / 2);
}

}  // namespace
}  // namespace gridcast::optimize
