// Likelihood of durations between two time stamps, each rounded down to a tick. All times are in
// seconds. A difference of d means a duration from d - tick to d + tick, most likely d. Both ends
// are anywhere in their ticks, and a true duration x shows as d with probability max(0, 1 - |x - d|
// / tick). Thus
//   P(d) = integral of f(x) max(0, 1 - |x - d| / tick) dx
//        = (H(d + tick) - 2 H(d) + H(d - tick)) / tick,   H(k) = E max(0, k - X)
// which is an interval-censored likelihood (Klein & Moeschberger, Survival Analysis, 3.5) with the
// triangle that two ends make. For a lognormal X, with z = (ln k - mu) / sigma and Phi the normal
// distribution function,
//   H(k) = k Phi(z) - exp(mu + sigma^2 / 2) Phi(z - sigma)
// (the price of an option to sell at k: Black & Scholes 1973).
#pragma once

#include "sim/base/random.hpp"

namespace gridcast::calibration {

/// ln X is normal with these parameters.
struct LogNormal {
  double mu = 0;
  double sigma = 1;
};

/// ln P(d) of a lognormal duration plus `shift`.
double log_rounded(LogNormal const& x, double shift, double d, double tick);
/// ln P(d) of any distribution plus `known` seconds.
double log_rounded(Distribution const& x, double known, double d, double tick);
/// ln P(X + shift > c).
double log_longer(LogNormal const& x, double shift, double c);

}  // namespace gridcast::calibration
