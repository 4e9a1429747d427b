// Durations that are differences of two stamps, each rounded down: of whole-second logs, d seconds
// between stamps means anything from d - 1 to d + 1, most likely d. With both ends anywhere in
// their ticks, a true duration x shows as d with probability max(0, 1 - |x - d| / tick), so
//   P(d) = integral of f(x) max(0, 1 - |x - d| / tick) dx
//        = (H(d + tick) - 2 H(d) + H(d - tick)) / tick,   H(k) = E max(0, k - X)
// Interval-censored likelihood (Klein & Moeschberger 3.5) with the triangle that two ends make.
#pragma once

#include "sim/base/distribution.hpp"
#include "sim/base/units.hpp"

namespace gridcast::calibration {

/// Parameters of ln X.
struct LogNormal {
  double mu = 0;
  double sigma = 1;
};

/// ln P(d) of a lognormal duration on top of `shift`; the closed form (Black & Scholes' integral).
double log_rounded(LogNormal const& x, double shift, double d, double tick);
/// ln P(d) of any distribution, `known` seconds of the duration being known from elsewhere.
double log_rounded(Distribution const& x, double known, double d, double tick);
/// ln P(X + shift > c).
double log_longer(LogNormal const& x, double shift, double c);

/// The lognormal with mean and variance of a sum of independent ones (Fenton 1960, Wilkinson).
class LogNormalSum {
 public:
  void add(LogNormal const& term);
  LogNormal total() const;

 private:
  double mean_ = 0, variance_ = 0;
};

/// ln of the standard normal distribution function, also far out.
double log_normal_cdf(double z);

}  // namespace gridcast::calibration
