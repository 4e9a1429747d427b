#include "sim/optimize/refinement.hpp"

#include <algorithm>
#include <cmath>

#include <nlopt.hpp>

namespace gridcast::optimize {
namespace {

struct Refinement {
  SearchSpace const& space;
  Scoreboard& board;
  std::vector<std::size_t> numbers;
  std::size_t replicas;
  Point best;
  nlopt::opt* search = nullptr;

  Point at(std::vector<double> const& shares) const {
    Point point = best;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      point[numbers[k]] = space.value_at(numbers[k], shares[k]);
    }
    return space.canonical(std::move(point));
  }
};

double worse(std::vector<double> const& shares, std::vector<double>&, void* data) {
  auto& refinement = *static_cast<Refinement*>(data);
  Point const point = refinement.at(shares);
  if (!refinement.board.extend({point}, refinement.replicas)) refinement.search->force_stop();
  double const score = refinement.board.mean_score(point);
  bool const whole = refinement.board.scores(point).size() >= refinement.replicas;
  if (whole && score > refinement.board.mean_score(refinement.best)) refinement.best = point;
  return std::isnan(score) ? 1e300 : -score;
}

}  // namespace

Point refine(SearchSpace const& space, Scoreboard& board, Point const& from, double step,
             std::size_t replicas) {
  Refinement refinement{space, board, {}, replicas, from};
  std::vector<double> shares;
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (space.dimension(i).scale != Scale::logarithmic || !from[i]) continue;
    refinement.numbers.push_back(i);
    shares.push_back(std::clamp(space.share_of(i, *from[i]), 0.0, 1.0));
  }
  if (shares.empty() || !board.extend({from}, replicas)) return from;
  constexpr int tries_a_number = 25;
  nlopt::opt search(nlopt::LN_SBPLX, static_cast<unsigned>(shares.size()));
  search.set_min_objective(worse, &refinement);
  search.set_lower_bounds(0.0);
  search.set_upper_bounds(1.0);
  search.set_initial_step(step);
  search.set_xtol_abs(step / 20);
  search.set_maxeval(tries_a_number * static_cast<int>(shares.size()));
  refinement.search = &search;
  double least = 0;
  try {
    search.optimize(shares, least);
  } catch (nlopt::forced_stop const&) {
    // The budget ended; `best` is the best so far.
  } catch (nlopt::roundoff_limited const&) {
    // No smaller step changes the score.
  }
  return refinement.best;
}

}  // namespace gridcast::optimize
