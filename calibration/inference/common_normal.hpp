// Values from one normal distribution with an unknown centre ~ N(mean, sd^2) and an unknown standard
// deviation, the spread. The spread is half-normal, but not below exp(log_smallest). The centre is
// integrated out in closed form, the logarithm of the spread by the midpoint rule.
#pragma once

#include <vector>

#include "sim/base/random.hpp"

namespace gridcast::calibration {

struct CommonPrior {
  static constexpr double log_smallest = -7;
  double mean = 0, sd = 1, spread = 1;
};

/// Log density of the values, with centre and spread integrated out.
double log_integrated(std::vector<double> const& values, CommonPrior const& prior);

struct CommonDraw {
  double centre = 0, log_spread = 0;
};
/// A centre and a spread from their posterior, given the values. Uses three uniforms.
CommonDraw draw_common(std::vector<double> const& values, CommonPrior const& prior,
                       RandomStream& stream);

}  // namespace gridcast::calibration
