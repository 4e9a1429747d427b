// Figures of two strategies on the same campaigns, and shares of campaigns, each with its error.
//
// The error of a mean is a Monte-Carlo error: how much it would change with other replicas; it says
// nothing of how much a single campaign differs, which the range of the differences does. Ratios are
// pooled, sum over sum, as a mean of ratios weighs a campaign with one success like one with ninety
// (Cochran, Sampling Techniques, 6.2); the error of their difference is that of the linearised one,
//   d_i = (x_i - X v_i) / mean(v) - (b_i - B w_i) / mean(w),   X = sum x / sum v,   B = sum b / sum w
// with the t quantile of n - 1. Where all replicas are alike there is no error to be had from them,
// and none is told (NaN), never zero. Shares have the exact binomial interval, so that 0 of n has
// an upper limit.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "sim/base/statistics.hpp"

namespace gridcast::study {

inline constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// A share of n replicas; of none it is not known, and its interval all there is.
struct Chance {
  double share = not_known;
  Interval ci95 = {0, 1};
  std::size_t n = 0;
};
/// `hits` may be broken where ties are shared; the interval then holds those of its neighbours.
Chance chance(double hits, std::size_t n);

/// What one wants of a figure, and what happens in a pair of campaigns.
enum class Wanted { less, more };

/// Of x - base, pair by pair; pairs in which one is NaN are left out.
struct PairedDifference {
  double mean = not_known;  // of a ratio: of the pooled ones
  Interval ci95 = {not_known, not_known};
  /// (Var x + Var base) / Var(x - base): by how much common random numbers cut the variance. NaN
  /// where the differences do not vary.
  double variance_ratio = not_known;
  std::size_t n = 0;
  double p05 = not_known, p95 = not_known;  // campaign by campaign
  Chance better = {};                       // share of the campaigns in which x is
};
PairedDifference paired_difference(std::vector<double> const& x, std::vector<double> const& base,
                                   Wanted wanted = Wanted::less);

/// Top and bottom of a ratio in each replica.
struct RatioColumns {
  std::vector<double> top, bottom;
};
/// Sum over sum, of the replicas that have both; infinite where only the bottom is zero.
double pooled(RatioColumns const& columns);
/// The same with its error.
struct PooledRatio {
  double ratio = not_known;
  Interval ci95 = {not_known, not_known};
};
PooledRatio pooled_ratio(RatioColumns const& columns);
/// Of the pooled ratios. A campaign whose bottom is zero has no ratio, and is worse than any that has
/// one.
PairedDifference pooled_difference(RatioColumns const& x, RatioColumns const& base, Wanted wanted);

}  // namespace gridcast::study
