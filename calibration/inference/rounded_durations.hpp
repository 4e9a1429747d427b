// Likelihood of durations between two time stamps, each rounded down to a tick. All times are in
// seconds. A difference of d means a duration from d - tick to d + tick, most likely d. Both ends
// are anywhere in their ticks, and a true duration x shows as d with probability max(0, 1 - |x - d|
// / tick). Thus
//   P(d) = integral of f(x) max(0, 1 - |x - d| / tick) dx
//        = (H(d + tick) - 2 H(d) + H(d - tick)) / tick,   H(k) = E max(0, k - X)
// which is an interval-censored likelihood (Klein & Moeschberger, Survival Analysis, 3.5) with the
// triangle that two ends make.
#pragma once

#include "sim/base/random.hpp"

namespace gridcast::calibration {

/// ln P(d) of any distribution plus `known` seconds.
double log_rounded(Distribution const& x, double known, double d, double tick);

}  // namespace gridcast::calibration
