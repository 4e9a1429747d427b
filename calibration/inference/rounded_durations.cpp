#include "calibration/inference/rounded_durations.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gridcast::calibration {

namespace {

// The likelihood of a stamp that no model explains (a clock that stepped).
constexpr double least_probability = 1e-12;

// Mean of the distribution function from a to b: Gauss-Legendre, four points (Abramowitz & Stegun
// 25.4). Because H' = F, the probability of the header is the mean of F over the tick after k minus
// that over the tick before.
double mean_cdf(Distribution const& x, double a, double b) {
  constexpr std::array<double, 2> at = {0.3399810435848563, 0.8611363115940526};
  constexpr std::array<double, 2> weight = {0.6521451548625461, 0.3478548451374538};
  double const middle = (a + b) / 2;
  double const half = (b - a) / 2;
  double sum = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    sum += weight[i] * (x.cdf(middle - half * at[i]) + x.cdf(middle + half * at[i]));
  }
  return sum / 2;
}

}  // namespace

double log_rounded(Distribution const& x, double known, double d, double tick) {
  double const k = d - known;
  double const p = mean_cdf(x, k, k + tick) - mean_cdf(x, k - tick, k);
  return std::log(std::max(p, least_probability));
}

}  // namespace gridcast::calibration
