#include "sim/optimize/stage.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"
#include "sim/optimize/search.hpp"

namespace gridcast::optimize {
namespace {

study::StudyOptions with_seed(study::StudyOptions options, std::uint64_t number) {
  options.seed += number;
  return options;
}

}  // namespace

Stage::Stage(scenario::Scenario const& scenario, StrategySpace const& space, Budget& budget,
             study::StudyOptions const& options, SearchJournal* journal, std::uint32_t number,
             GoalLevels const& levels)
    : score_(scenario, space, with_seed(options, number), journal, number, levels),
      budget_(budget),
      progress_(options.progress),
      board_(weightings(next_weights(scenario.study.preferences.goal.kind)), budget) {}

std::vector<Simulate> Stage::weightings(std::vector<double> const& weights) {
  std::vector<Simulate> result = {
      [this](std::vector<Trial> const& trials) { return simulated(trials); }};
  for (std::size_t w = 1; w < weights.size(); ++w) {
    result.emplace_back([this, weight = weights[w]](std::vector<Trial> const& trials) {
      return score_.scores(trials, weight);
    });
  }
  return result;
}

std::vector<double> Stage::simulated(std::vector<Trial> const& trials) {
  auto scores = score_(trials);
  double const share = std::clamp(budget_.used(), 1e-6, 1.0);
  auto const done = budget_.spent() + trials.size();
  auto const total = static_cast<double>(budget_.spent()) / share;
  if (progress_) {
    progress_(done, score_.failed(), std::max(done, static_cast<std::size_t>(total)));
  }
  return scores;
}

study::Comparison Stage::compare(std::vector<Point> const& points) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < points.size(); ++i) {
    names.push_back(i == 0 ? "current" : fmt::format("candidate-{}", i));
  }
  return study::complete(score_.comparison(points, names));
}

std::vector<Point> Stage::best_of(std::vector<Point> const& points, std::size_t most) {
  std::vector<std::vector<Point>> orders(board_.weightings(), points);
  for (std::size_t w = board_.weightings(); w-- > 0;) {
    board_.weigh_by(w);
    std::stable_sort(orders[w].begin(), orders[w].end(), [&](Point const& a, Point const& b) {
      return board_.mean_score(a) > board_.mean_score(b);
    });
  }
  return taken_in_turn(orders, most);
}

double Stage::lead(Point const& over, Point const& point) {
  double most = -infinity;
  for (std::size_t w = board_.weightings(); w-- > 0;) {
    board_.weigh_by(w);
    auto const ahead = board_.differences(over, point);
    most = std::max(most, ahead.empty() ? 0 : mean(ahead));
  }
  return most;
}

}  // namespace gridcast::optimize
