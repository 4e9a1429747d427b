// Summaries and intervals: means with t intervals, quantiles, paired differences, exact
// intervals of counts, distances between samples. Sources: Law, Simulation Modeling and
// Analysis; Hyndman & Fan 1996 for quantiles; Clopper & Pearson 1934.
//
// Also scores of probabilistic forecasts, given the observations: proper scores (the best expected
// score is that of the true distribution), ranks and the parts of a forecast's variance.
//
//   CRPS(F, y) = E|X - y| - 1/2 E|X - X'|, of an ensemble of m values with 1/(2m(m-1)) instead of
//     1/(2m^2) before the sum of differences ("fair", Ferro 2014): more values are no
//     better by being more; of a point it is the absolute error, of a lognormal a closed form
//     (Baran & Lerch 2015; Gneiting & Raftery 2007, Strictly proper scoring rules).
//   Winkler's interval score = (u - l) + (2/a)(l - y)+ + (2/a)(y - u)+ of a central 1 - a interval.
//   Ranks: the probability integral transform; with ties it is spread evenly from F(y-) to F(y)
//     (Czado, Gneiting & Held 2009): counts are judged like times.
//   Variance: balanced one-way analysis, k rows of r values: within = MS_within,
//     between = (MS_between - MS_within) / r.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "sim/base/lists.hpp"

namespace gridcast::inline base {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// A count as a number to calculate with.
inline double count(std::size_t n) { return static_cast<double>(n); }

/// The values without NaN.
inline std::vector<double> without_nan(std::vector<double> x) {
  std::erase_if(x, [](double each) { return std::isnan(each); });
  return x;
}

inline double square(double x) { return x * x; }

/// ln(exp(a) + exp(b)), however large or small both are.
inline double log_sum_exp(double a, double b) {
  double const most = a > b ? a : b;
  return std::isfinite(most) ? most + std::log(std::exp(a - most) + std::exp(b - most)) : most;
}

/// Log odds of a probability between 0 and 1, and back.
inline double logit(double p) { return std::log(p / (1 - p)); }
inline double inverse_logit(double x) { return 1 / (1 + std::exp(-x)); }

/// Distribution function of the standard normal distribution.
inline double normal_cdf(double z) { return 0.5 * std::erfc(-z * M_SQRT1_2); }

/// From logarithms of weights, known up to a common constant, to probabilities that add up to one.
template <class Item>
void to_probabilities(std::vector<Item>& items, double Item::*weight) {
  double largest = -infinity;
  for (Item const& item : items) largest = std::max(largest, item.*weight);
  double total = 0;
  for (Item& item : items) total += item.*weight = std::exp(item.*weight - largest);
  for (Item& item : items) item.*weight /= total;
}

/// The item that u falls on, uniform from zero to the sum of the weights: inversion of a discrete
/// distribution.
template <class Item>
std::size_t pick(std::vector<Item> const& items, double Item::*weight, double u) {
  std::size_t i = 0;
  while (i + 1 < items.size() && u >= items[i].*weight) u -= items[i++].*weight;
  return i;
}

struct Interval {
  double low = 0;
  double high = 0;
  bool contains(double x) const { return low <= x && x <= high; }
  bool operator==(Interval const&) const = default;
};

double mean(std::span<double const> x);      // NaN for no values
double variance(std::span<double const> x);  // n - 1; 0 for fewer than 2
double standard_deviation(std::span<double const> x);
/// Type 7 of Hyndman & Fan (R's default); x in any order, p in [0, 1]; NaN for no values.
double quantile(std::vector<double> x, double p);
double median(std::vector<double> x);
/// Several quantiles with one sort.
std::vector<double> quantiles(std::vector<double> x, std::span<double const> p);
/// Mean +- t_{n-1,(1+level)/2} s/sqrt(n); a point for fewer than 2 values.
Interval mean_interval(std::span<double const> x, double level = 0.95);
/// Exact (Clopper-Pearson) interval of a proportion; [0, 1] for no trials.
Interval proportion_interval(std::size_t hits, std::size_t trials, double level = 0.95);
/// Index of dispersion of counts: variance / mean (1 for Poisson); 0 when the mean is 0.
double dispersion_index(std::span<double const> counts);
/// Wasserstein-1 distance of two samples of any sizes; NaN if one is empty.
double wasserstein_distance(std::vector<double> a, std::vector<double> b);
/// Rank of x in the sample: (number below + half the ties) / n; NaN for n = 0.
double percentile_rank(double x, std::span<double const> sample);

/// The forecast in any order; NaN for no values, the absolute error for one.
double fair_crps(std::vector<double> forecast, double observed);

/// A distribution whose logarithm is normal; a point where `sigma` or the median is zero.
struct Lognormal {
  double median = 0, sigma = 0;
  double quantile(double p) const;
};
double crps(Lognormal const& forecast, double observed);

/// Score of the central interval of probability `level`.
double interval_score(Interval const& interval, double level, double observed);
/// The central interval that contains one more value of the same kind with probability `level`. Its
/// ends are type 6 of Hyndman & Fan, values number (n + 1) p of n sorted ones: as many of the n + 1
/// ranks of the new value lie inside. Type 7 ends of 60 values contain it with 0.87 instead of 0.9.
/// The range of all values if n is too small.
///
/// Example: 19 values, level 0.9: from the least to the greatest.
Interval central_interval(std::vector<double> const& forecast, double level);
/// Whether each value, in the order given, lies in the central interval of the others.
std::vector<bool> inside_of_others(std::vector<double> const& forecast, double level);

/// The place of an observation in its forecast: every point of [low, high] is equally likely.
struct Rank {
  double low = 0, high = 1;
  double middle() const { return (low + high) / 2; }
};
Rank rank_of(double observed, std::span<double const> forecast);

}  // namespace gridcast::inline base
