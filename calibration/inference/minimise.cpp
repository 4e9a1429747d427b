#include "calibration/inference/minimise.hpp"

#include <cmath>
#include <utility>

#include <nlopt.hpp>

namespace gridcast::calibration {

namespace {

using Function = std::function<double(std::vector<double> const&)>;

double evaluate(std::vector<double> const& x, std::vector<double>&, void* data) {
  double const value = (*static_cast<Function const*>(data))(x);
  return std::isfinite(value) ? value : 1e300;
}

}  // namespace

Minimum minimise(Function const& function, std::vector<double> start, double first_step,
                 SearchBox const& box, int most_evaluations) {
  nlopt::opt search(nlopt::LN_SBPLX, static_cast<unsigned>(start.size()));
  search.set_min_objective(evaluate, const_cast<Function*>(&function));
  search.set_xtol_abs(1e-6);
  search.set_ftol_abs(1e-8);
  search.set_maxeval(most_evaluations);
  search.set_initial_step(first_step);
  if (!box.low.empty()) search.set_lower_bounds(box.low);
  if (!box.high.empty()) search.set_upper_bounds(box.high);
  Minimum found{std::move(start), 0};
  search.optimize(found.at, found.value);
  return found;
}

}  // namespace gridcast::calibration
