#include "sim/optimize/search.hpp"

#include <thread>

#include "tests/optimize/closed_form.hpp"
#include "tests/test.hpp"

namespace gridcast::optimize {
namespace {

Dimension time_between(std::string name, double low, double high) {
  return {std::move(name), Scale::logarithmic, low, high, std::sqrt(low * high)};
}

SearchResult found_within(SearchSpace const& space, Simulate const& simulate, std::size_t budget,
                          std::uint64_t seed) {
  Budget of_search = Budget::of_replicas(budget);
  Scoreboard board(simulate, of_search);
  auto const result = search(space, board, {seed, 0.005});
  CHECK(of_search.spent() <= budget);
  return result;
}

TEST_CASE("the best checkpoint interval is within 5 % of Daly's", "[optimize]") {
  Checkpoints const problem;
  double const best = best_on_grid([&](double t) { return problem.expected(t); }, 60, 86400);
  // Young's first-order interval is close to it.
  CHECK(best == Approx(std::sqrt(2 * problem.cost * problem.between_failures)).epsilon(0.1));
  SearchSpace const space({time_between("interval", 60, 86400)}, {43200});
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    auto const simulate = simulate_cost(
        [&](Point const& point, std::uint32_t replica) {
          return problem.simulated(*point[0], seed, replica);
        },
        problem.expected(43200));
    auto const result = found_within(space, simulate, 6000, seed);
    CAPTURE(seed, *result.best[0], best);
    CHECK(problem.expected(*result.best[0]) < 1.05 * problem.expected(best));
  }
}

TEST_CASE("the best timer of lognormal transfers is within 5 % of the closed form", "[optimize]") {
  Restarts const problem;
  double const best = best_on_grid([&](double t) { return problem.expected(t); }, 10, 864000);
  SearchSpace const space({time_between("timer", 10, 864000)}, {36000});
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    auto const simulate = simulate_cost(
        [&](Point const& point, std::uint32_t replica) {
          return problem.simulated(*point[0], seed, replica);
        },
        problem.expected(36000));
    auto const result = found_within(space, simulate, 6000, seed);
    CAPTURE(seed, *result.best[0], best);
    CHECK(problem.expected(*result.best[0]) < 1.05 * problem.expected(best));
  }
}

/// Both problems at once, with a switch that doubles all costs while a second switch is off, and a
/// number without effect.
struct Mixed {
  Checkpoints checkpoints;
  Restarts restarts;

  static SearchSpace space() {
    Dimension guard{"guard", Scale::choice, 0, 1};
    Dimension helper{"helper", Scale::choice, 0, 1};
    helper.applies = [](Point const& point) { return point[2] == 1.0; };
    return {{time_between("interval", 60, 86400),
             time_between("timer", 10, 864000),
             guard,
             helper,
             {"idle", Scale::whole, 0, 10, 3, true}},
            {43200, 36000, 0, std::nullopt, std::nullopt}};
  }
  static double factor(Point const& point) {
    if (point[2] == 0.0) return 1.5;
    return point[3] == 1.0 ? 1 : 2;
  }
  double scale() const { return 1.5 * (checkpoints.expected(43200) + restarts.expected(36000)); }
  double expected(Point const& point) const {
    return factor(point) * (3600 * checkpoints.expected(*point[0]) + restarts.expected(*point[1]));
  }
  Simulate simulate(std::uint64_t seed) const {
    return simulate_cost(
        [this, seed](Point const& point, std::uint32_t replica) {
          return factor(point) * (3600 * checkpoints.simulated(*point[0], seed, replica) +
                                  restarts.simulated(*point[1], seed, replica));
        },
        expected(space().start()));
  }
};

TEST_CASE("each weighting of two goals has its best point among the finalists", "[optimize]") {
  // One goal is best at a fifth of the range, the other one at four fifths. With the weights 1 and
  // w the best place is (0.2 + 0.8 w) / (1 + w).
  SearchSpace const space({time_between("time", 1, 10000)}, {10000});
  auto const weighted = [&space](double weight) -> Simulate {
    return [&space, weight](std::vector<Trial> const& trials) {
      std::vector<double> scores;
      for (Trial const& trial : trials) {
        double const x = space.share_of(0, *trial.point[0]);
        auto stream = RandomStreams(5, trial.replica).stream(Purpose::test, 0);
        double const noise = 0.1 * stream.uniform() * x;
        scores.push_back(noise - std::pow(x - 0.2, 2) - weight * std::pow(x - 0.8, 2));
      }
      return scores;
    };
  };
  // The mean noise is a slope of 0.05, which moves the best place by 0.025 / (1 + w).
  auto const best_place = [](double weight) { return (0.225 + 0.8 * weight) / (1 + weight); };
  Budget budget = Budget::of_replicas(4000);
  Scoreboard board({weighted(1.0 / 2), weighted(1.0 / 16)}, budget);
  auto const result = search(space, board, {1, 0.001});
  REQUIRE(result.finalists.size() >= 2);
  CHECK(result.best == result.finalists.front());
  for (std::size_t w : {0, 1}) {
    double const place = space.share_of(0, *result.finalists[w][0]);
    CHECK(place == Approx(best_place(w == 0 ? 1.0 / 2 : 1.0 / 16)).margin(0.04));
  }
}

TEST_CASE("a search finds settings that only help together", "[optimize]") {
  Mixed const problem;
  auto const result = found_within(Mixed::space(), problem.simulate(1), 6000, 1);
  CHECK(result.best[2] == 1.0);
  CHECK(result.best[3] == 1.0);
  // The number without effect stays as it was.
  CHECK(!result.best[4].has_value());
}

TEST_CASE("one seed and one number of campaigns give one answer", "[optimize]") {
  Mixed const problem;
  auto const once = found_within(Mixed::space(), problem.simulate(3), 1500, 3);
  auto const again = found_within(Mixed::space(), problem.simulate(3), 1500, 3);
  CHECK(once.best == again.best);
  CHECK(once.finalists == again.finalists);
}

/// The best of points that are drawn around the start, with 20 replicas each.
Point best_of_random(SearchSpace const& space, Simulate const& simulate, std::size_t budget,
                     std::uint64_t seed) {
  constexpr std::size_t each = 20;
  Budget of_search = Budget::of_replicas(budget);
  Scoreboard board(simulate, of_search);
  auto stream = RandomStreams(seed, 0).stream(Purpose::test, 7);
  std::vector<Point> points = {space.start()};
  while (points.size() < budget / each)
    points.push_back(space.random_from(space.start(), 0.5, stream));
  board.extend(points, each);
  return board.ranked(each).front();
}

TEST_CASE("a search is better than a random one with the same budget", "[optimize]") {
  Mixed const problem;
  auto const space = Mixed::space();
  int better = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    auto const simulate = problem.simulate(seed);
    auto const result = found_within(space, simulate, 2000, seed);
    auto const random = best_of_random(space, simulate, 2000, seed);
    CAPTURE(seed, problem.expected(result.best), problem.expected(random));
    better += problem.expected(result.best) <= problem.expected(random) ? 1 : 0;
  }
  CHECK(better >= 9);
}

TEST_CASE("a search that is interrupted returns the best point so far", "[optimize]") {
  Mixed const problem;
  auto const simulate = problem.simulate(1);
  std::size_t simulated = 0;
  Budget budget = Budget::of_replicas(100000);
  Scoreboard board(
      [&](std::vector<Trial> const& trials) {
        simulated += trials.size();
        return simulated > 1000 ? std::vector<double>() : simulate(trials);
      },
      budget);
  auto const result = search(Mixed::space(), board, {1, 0.005});
  CHECK(budget.interrupted());
  CHECK(!result.converged);
  CHECK(problem.expected(result.best) < problem.expected(Mixed::space().start()));
}

/// Takes so many campaigns of a budget whose clock began `ago`.
void spend(Budget& budget, std::size_t campaigns, double seconds) {
  budget.spend(campaigns,
               Budget::Clock::now() - std::chrono::duration_cast<Budget::Clock::duration>(
                                          std::chrono::duration<double>(seconds)));
}

TEST_CASE("a time becomes the number of campaigns of which its first part had its share",
          "[optimize]") {
  Budget budget = Budget::of_time(std::chrono::milliseconds(400));
  budget.set_part(0.5);
  spend(budget, 30, 0.001);
  CHECK(!budget.over());
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  // The clock is read after campaigns alone, as a number of campaigns would be.
  CHECK(!budget.over());
  spend(budget, 10, 0.001);
  REQUIRE(budget.over());
  budget.fix();
  CHECK(budget.fixed() == 80U);
  CHECK(budget.over());
  budget.set_part(0.75);
  CHECK(budget.left() == 20);
  // What takes longer than the time is cut off, and no number repeats it.
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  spend(budget, 1, 0.001);
  CHECK(budget.over());
  CHECK(!budget.fixed());
}

TEST_CASE("a time whose first part ends early becomes what the rest of it allows", "[optimize]") {
  Budget budget = Budget::of_time(std::chrono::seconds(100));
  budget.set_part(0.5);
  spend(budget, 100, 1);
  budget.fix();
  REQUIRE(budget.fixed());
  // At 100 campaigns a second.
  CHECK(*budget.fixed() > 5000);
  CHECK(*budget.fixed() < 10000);
  CHECK(!budget.over());
}

TEST_CASE("a time beyond all clocks leaves campaigns to simulate", "[optimize]") {
  Budget budget = Budget::of_time(std::chrono::duration<double>(1e99));
  budget.spend(8, Budget::Clock::now() - std::chrono::seconds(1));
  CHECK(budget.left() > 1'000'000);
  CHECK(!budget.over());
}

}  // namespace
}  // namespace gridcast::optimize
