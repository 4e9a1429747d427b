// The minimum of a function of a few parameters that has no derivatives worth having.
#pragma once

#include <functional>
#include <vector>

namespace gridcast::calibration {

struct Bounds {
  std::vector<double> low;  // empty: none
  std::vector<double> high;
};

struct Minimum {
  std::vector<double> at;
  double value = 0;
};

/// NLopt's Subplex (LN_SBPLX) to 1e-6 in every parameter or to the end of its evaluations;
/// deterministic. What is not finite counts
/// as very large.
Minimum minimise(std::function<double(std::vector<double> const&)> const& function,
                 std::vector<double> start, double first_step, Bounds const& bounds = {},
                 int most_evaluations = 4000);

}  // namespace gridcast::calibration
