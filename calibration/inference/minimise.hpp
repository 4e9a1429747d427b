// The minimum of a function without useful derivatives: Subplex (Rowan 1990: Nelder-Mead on
// subspaces; LN_SBPLX of NLopt). The search is deterministic.
#pragma once

#include <functional>
#include <vector>

namespace gridcast::calibration {

/// Bounds of a search.
struct SearchBox {
  std::vector<double> low = {};  // empty: no bounds
  std::vector<double> high = {};
};

struct Minimum {
  std::vector<double> at;
  double value = 0;
};

/// Searches to 1e-6 in every parameter or to the last evaluation. A value that is not finite counts
/// as very large.
Minimum minimise(std::function<double(std::vector<double> const&)> const& function,
                 std::vector<double> start, double first_step, SearchBox const& box = {},
                 int most_evaluations = 4000);

}  // namespace gridcast::calibration
