// The families of durations that the calibration fits and the simulator draws from, all by
// inversion of one uniform (monotone, so that common random numbers keep their sign). Boost.Math
// does the work.
#pragma once

#include <string_view>
#include <vector>

#include "sim/base/random.hpp"

namespace gridcast::inline base {

enum class Family { exponential, weibull, gamma, lognormal, loglogistic };

/// Names as written in calibration files: "exponential", "weibull", "gamma", "lognormal",
/// "loglogistic".
std::string_view name(Family family);
std::vector<Family> const& all_families();

/// A positive random variable, optionally shifted: X = shift + Y, Y ~ family(shape, scale).
///   exponential  F = 1 - exp(-y/scale)                     (shape unused, 1)
///   weibull      F = 1 - exp(-(y/scale)^shape)
///   gamma        density y^(shape-1) exp(-y/scale) / (Gamma(shape) scale^shape)
///   lognormal    ln Y ~ N(ln scale, shape^2)
///   loglogistic  F = 1 / (1 + (y/scale)^-shape)
/// scale > 0 and shape > 0 are the caller's promise (checked where they enter the program).
struct Distribution {
  Family family = Family::exponential;
  double shape = 1;
  double scale = 1;
  double shift = 0;

  double quantile(double u) const;      // u in (0, 1)
  double cdf(double x) const;           // 0 at or below the shift
  double log_density(double x) const;   // -infinity at or below the shift
  double log_survival(double x) const;  // log(1 - F(x)), accurate in the tail
  double mean() const;                  // +infinity where it does not exist
  double sample(RandomStream& stream) const { return quantile(stream.uniform()); }
};

/// Quantile functions used on their own.
double normal_quantile(double u);
double poisson_quantile(double u, double mean);  // smallest k with F(k) >= u
double gamma_quantile(double u, double shape, double scale);
double beta_quantile(double u, double a, double b);

}  // namespace gridcast::inline base
