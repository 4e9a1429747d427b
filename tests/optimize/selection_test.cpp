#include "sim/base/random.hpp"
#include "sim/optimize/search.hpp"
#include "tests/test.hpp"

namespace gridcast::optimize {
namespace {

constexpr double noise = 0.05, shared_noise = 0.5;

/// Normal scores around a mean for each point, with a part that all points of a replica share.
Simulate normal_scores(std::vector<double> means, std::uint64_t seed) {
  return [means = std::move(means), seed](std::vector<Trial> const& trials) {
    std::vector<double> scores;
    for (Trial const& trial : trials) {
      auto const which = static_cast<std::uint32_t>(*trial.point[0]);
      RandomStreams const streams(seed, trial.replica);
      auto common = streams.stream(Purpose::test, 99);
      auto own = streams.stream(Purpose::test, which);
      scores.push_back(means[which] + shared_noise * normal_quantile(common.uniform()) +
                       noise * normal_quantile(own.uniform()));
    }
    return scores;
  };
}

std::vector<Point> points_of(std::size_t n) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < n; ++i) points.push_back({static_cast<double>(i)});
  return points;
}

TEST_CASE("the selected point is the best one in most selections", "[optimize]") {
  // Nine points are worse than the best one by exactly the least difference that matters.
  std::vector<double> means(10, 1.0);
  means[6] = 1.03;
  int right = 0;
  constexpr int selections = 100;
  for (int k = 0; k < selections; ++k) {
    Budget budget = Budget::of_replicas(100000);
    Scoreboard board(normal_scores(means, static_cast<std::uint64_t>(k)), budget);
    SelectionOptions options;
    options.indifference = 0.01;
    right += select(board, points_of(10), options) == Point{6.0} ? 1 : 0;
  }
  CHECK(right >= 95);
}

TEST_CASE("points without a score come after those with one", "[optimize]") {
  Budget budget = Budget::of_replicas(1000);
  Scoreboard board(normal_scores({1, 5, 3}, 1), budget);
  board.extend(points_of(3), 10);
  std::vector<Point> points = {{7.0}, {0.0}, {8.0}, {1.0}, {9.0}, {2.0}};
  board.sort_best_first(points);
  CHECK(points == std::vector<Point>{{1.0}, {2.0}, {0.0}, {7.0}, {8.0}, {9.0}});
}

TEST_CASE("hopeless points have few replicas", "[optimize]") {
  std::vector<double> means(20, 0.2);
  means[3] = 1.0;
  means[4] = 0.99;
  Budget budget = Budget::of_replicas(100000);
  Scoreboard board(normal_scores(means, 1), budget);
  SelectionOptions options;
  options.indifference = 0.001;
  CHECK(select(board, points_of(20), options) == Point{3.0});
  CHECK(board.scores({0.0}).size() == options.first);
  CHECK(board.scores({3.0}).size() > options.first);
  CHECK(budget.spent() < 20 * options.most / 4);
}

TEST_CASE("the first of equal points stays", "[optimize]") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Budget budget = Budget::of_replicas(100000);
    Scoreboard board(normal_scores({1, 1.002, 1.001}, seed), budget);
    SelectionOptions options;
    options.indifference = 0.02;
    CHECK(select(board, points_of(3), options) == Point{0.0});
  }
}

TEST_CASE("a budget that ends early leaves the best so far", "[optimize]") {
  Budget budget = Budget::of_replicas(7);
  Scoreboard board(normal_scores({0, 0, 5}, 1), budget);
  CHECK(select(board, points_of(3), {}) == Point{2.0});
  CHECK(budget.spent() == 7);
  CHECK(budget.over());
}

}  // namespace
}  // namespace gridcast::optimize
