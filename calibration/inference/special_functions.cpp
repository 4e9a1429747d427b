#include "calibration/inference/special_functions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <nlopt.hpp>

#include "sim/base/statistics.hpp"

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

double log_mean_exp(std::vector<double> const& logs) {
  double const most = *std::ranges::max_element(logs);
  if (!std::isfinite(most)) return most;
  auto const sum = sum_of<double>(logs, [&](double const one) { return std::exp(one - most); });
  return most + std::log(sum / static_cast<double>(logs.size()));
}

double log_beta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

double log_normal_cdf(double z) {
  if (z > -30) return std::log(normal_cdf(z));
  return -z * z / 2 - std::log(-z) - 0.9189385332046727;  // Mills' ratio
}

double arcsine_quantile(double u) {
  double const sine = std::sin(std::numbers::pi / 2 * u);
  return sine * sine;
}

}  // namespace gridcast::calibration
