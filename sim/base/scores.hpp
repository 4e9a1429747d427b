// How good probabilistic forecasts were, given what came: proper scores (the best expected score is
// that of the true distribution), ranks and what makes a forecast's variance.
//
//   CRPS(F, y) = E|X - y| - 1/2 E|X - X'|, of an ensemble of m values with 1/(2m(m-1)) instead of
//     1/(2m^2) before the sum of differences ("fair", Ferro 2014), so that more values are no better
//     by being more; of a point it is the absolute error, of a lognormal a closed form
//     (Baran & Lerch 2015; Gneiting & Raftery 2007, Strictly proper scoring rules).
//   Winkler's interval score = (u - l) + (2/a)(l - y)+ + (2/a)(y - u)+ of a central 1 - a interval.
//   Ranks: the probability integral transform; with ties it is spread evenly from F(y-) to F(y)
//     (Czado, Gneiting & Held 2009), so that counts are judged like times.
//   Variance: balanced one-way analysis, k rows of r values: within = MS_within,
//     between = (MS_between - MS_within) / r.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/base/statistics.hpp"

namespace gridcast::inline base {

/// The forecast in any order; NaN for no values, the absolute error for one.
double fair_crps(std::vector<double> forecast, double observed);

/// A distribution whose logarithm is normal; a point where `sigma` or the median is zero.
struct Lognormal {
  double median = 0, sigma = 0;
  double quantile(double p) const;
};
double crps(Lognormal const& forecast, double observed);

/// Of the central interval of probability `level`.
double interval_score(Interval const& interval, double level, double observed);
/// The central interval of that probability of a forecast's values.
Interval central_interval(std::vector<double> const& forecast, double level);

/// Where an observation lies in its forecast: all of [low, high] alike.
struct Rank {
  double low = 0, high = 1;
  double middle() const { return (low + high) / 2; }
};
Rank rank_of(double observed, std::span<double const> forecast);
/// The rank of each value among all others, without its own.
std::vector<Rank> ranks_among_others(std::span<double const> values);

/// How many ranks lie in each of equal bins from 0 to 1, in parts where they spread over several.
class RankHistogram {
 public:
  explicit RankHistogram(std::size_t bins) : counts_(bins, 0.0) {}
  void add(Rank const& rank);
  std::vector<double> const& counts() const { return counts_; }
  /// Sum over the bins of (count - expected)^2 / expected; zero without ranks.
  double chi_square() const;

 private:
  std::vector<double> counts_;
};

struct VarianceParts {
  double between = 0;  // of the rows' expectations; never below zero
  double within = 0;   // of the values of one row
  /// NaN where nothing varies.
  double share_between() const;
};
/// `values`: row after row, `a_row` (2 at least) of each; what is left of an incomplete row is not
/// used.
VarianceParts one_way(std::span<double const> values, std::size_t a_row);

}  // namespace gridcast::inline base
