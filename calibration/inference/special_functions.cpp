#include "calibration/inference/special_functions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

double log_mean_exp(std::vector<double> const& logs) {
  double const most = *std::max_element(logs.begin(), logs.end());
  if (!std::isfinite(most)) return most;
  double sum = 0;
  for (double const one : logs) sum += std::exp(one - most);
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
