#include "sim/training/straggler.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/base/distribution.hpp"

namespace gridcast::training {
namespace {

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

}  // namespace

// E[max] = integral of 1 - F^n above zero less that of F^n below, by Simpson's rule; F^n differs
// from 0 and 1 by less than 1e-14 beyond +-9.
double expected_max_normal(int n) {
  if (n <= 1) return 0;
  constexpr int intervals = 1800;
  constexpr double end = 9, h = end / intervals;
  auto const f = [n](double x) {
    return 1 - std::pow(normal_cdf(x), n) - std::pow(normal_cdf(-x), n);
  };
  double sum = f(0) + f(end);
  for (int i = 1; i < intervals; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(i * h);
  return sum * h / 3;
}

double draw_max_normal(int n, RandomStream& stream) {
  constexpr double nearly_one = 1 - 0x1p-53;
  return normal_quantile(std::min(nearly_one, std::pow(stream.uniform(), 1.0 / n)));
}

double straggler_factor(scenario::ComputeSpec const& compute, int ranks) {
  double const of_spread = compute.spread > 0 ? compute.spread * expected_max_normal(ranks) : 0;
  double const slowest = ranks > 1 ? std::max(compute.slowest, 1 + of_spread) : 1 + of_spread;
  return slowest + compute.slow_per_doubling * std::log2(ranks);
}

}  // namespace gridcast::training
