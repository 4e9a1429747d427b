// Functions that likelihoods have in common.
#pragma once

#include <array>
#include <functional>
#include <vector>

namespace gridcast::calibration {

/// ln of the mean of exp(x) over at least one x. Some x, or all, may be minus infinity.
double log_mean_exp(std::vector<double> const& logs);
/// ln of the beta function B(a, b).
double log_beta(double a, double b);
/// ln of the standard normal distribution function, also far into the tail.
double log_normal_cdf(double z);
/// Quantile of Beta(1/2, 1/2), the arcsine law.
double arcsine_quantile(double u);

/// Average over a standard normal variable: Gauss-Hermite quadrature with nine points (Abramowitz &
/// Stegun 25.10, scaled).
inline constexpr std::array<double, 9> normal_nodes = {
    -4.512745863399783, -3.205429002856470, -2.076847978677830, -1.023255663789133, 0.0,
    1.023255663789133,  2.076847978677830,  3.205429002856470,  4.512745863399783};
inline constexpr std::array<double, 9> normal_weights = {
    2.234584400774658e-5, 2.789141321231769e-3, 4.991640676521787e-2,
    2.440975028949394e-1, 4.063492063492063e-1, 2.440975028949394e-1,
    4.991640676521787e-2, 2.789141321231769e-3, 2.234584400774658e-5};

// The minimum of a function without useful derivatives: Subplex (Rowan 1990: Nelder-Mead on
// subspaces; LN_SBPLX of NLopt). The search is deterministic.

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
