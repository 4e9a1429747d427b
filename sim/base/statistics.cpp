#include "sim/base/statistics.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <boost/math/distributions/students_t.hpp>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"

namespace gridcast::inline base {
namespace {

double quantile_of_sorted(std::vector<double> const& x, double p) {
  if (x.empty()) return nan;
  double const place = p * count(x.size() - 1);
  auto const below = std::min(static_cast<std::size_t>(place), x.size() - 1);
  double const part = place - count(below);
  // Not x + 0 * (y - x): the next value may not exist, and either can be infinite.
  if (part == 0 || std::isinf(x[below]) || x[below] == x[below + 1]) return x[below];
  return x[below] + part * (x[below + 1] - x[below]);
}

/// central_interval() of n sorted values; `value(i)` is number i, from zero.
template <class Value>
Interval interval_of(std::size_t n, double level, Value const& value) {
  if (n == 0) return {nan, nan};
  auto const end = [&](double p) {
    double const place = std::clamp(p * count(n + 1) - 1, 0.0, count(n - 1));
    auto const below = static_cast<std::size_t>(place);
    double const part = place - count(below);
    // The next value may not exist, and either can be infinite.
    if (part == 0 || std::isinf(value(below)) || value(below) == value(below + 1)) {
      return value(below);
    }
    return value(below) + part * (value(below + 1) - value(below));
  };
  return {end((1 - level) / 2), end((1 + level) / 2)};
}

/// Calls visit(x, y, F, G) for neighbours x < y among the values of both samples, F and G the two
/// empirical distribution functions on [x, y); for the last value y is x.
template <class Visit>
void walk(std::vector<double> a, std::vector<double> b, Visit visit) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::size_t i = 0;
  std::size_t j = 0;
  auto const next = [&] {
    if (i == a.size()) return b[j];
    return j == b.size() ? a[i] : std::min(a[i], b[j]);
  };
  while (i < a.size() || j < b.size()) {
    double const x = next();
    while (i < a.size() && a[i] <= x) ++i;
    while (j < b.size() && b[j] <= x) ++j;
    bool const last = i == a.size() && j == b.size();
    visit(x, last ? x : next(), count(i) / count(a.size()), count(j) / count(b.size()));
  }
}

}  // namespace

double mean(std::span<double const> x) {
  if (x.empty()) return nan;
  return std::accumulate(x.begin(), x.end(), 0.) / count(x.size());
}

// Two passes: the one-pass formula loses all digits where the mean is large beside the spread.
double variance(std::span<double const> x) {
  if (x.size() < 2) return 0;
  double const center = mean(x);
  double sum = 0;
  for (double const value : x) sum += (value - center) * (value - center);
  return sum / count(x.size() - 1);
}

double standard_deviation(std::span<double const> x) { return std::sqrt(variance(x)); }

double quantile(std::vector<double> x, double p) {
  std::sort(x.begin(), x.end());
  return quantile_of_sorted(x, p);
}

double median(std::vector<double> x) { return quantile(std::move(x), 0.5); }

std::vector<double> quantiles(std::vector<double> x, std::span<double const> p) {
  std::sort(x.begin(), x.end());
  return each_of(p, [&](double const each) { return quantile_of_sorted(x, each); });
}

Interval mean_interval(std::span<double const> x, double level) {
  double const center = mean(x);
  if (x.size() < 2) return {center, center};
  boost::math::students_t const student(count(x.size() - 1));
  double const t = boost::math::quantile(boost::math::complement(student, (1 - level) / 2));
  double const half = t * standard_deviation(x) / std::sqrt(count(x.size()));
  return {center - half, center + half};
}

Interval proportion_interval(std::size_t hits, std::size_t trials, double level) {
  check(hits <= trials, "a proportion has no more hits than trials");
  double const tail = (1 - level) / 2;
  double const misses = count(trials - hits);
  return {hits == 0 ? 0 : beta_quantile(tail, count(hits), misses + 1),
          hits == trials ? 1 : beta_quantile(1 - tail, count(hits) + 1, misses)};
}

double dispersion_index(std::span<double const> counts) {
  double const center = mean(counts);
  return center > 0 ? variance(counts) / center : 0;
}

// In one dimension it is the area between the two distribution functions.
double wasserstein_distance(std::vector<double> a, std::vector<double> b) {
  if (a.empty() || b.empty()) return nan;
  double area = 0;
  walk(std::move(a), std::move(b),
       [&](double x, double y, double f, double g) { area += std::abs(f - g) * (y - x); });
  return area;
}

double percentile_rank(double x, std::span<double const> sample) {
  if (sample.empty()) return nan;
  auto const below = std::count_if(sample.begin(), sample.end(), [x](double y) { return y < x; });
  auto const ties = std::count(sample.begin(), sample.end(), x);
  return (static_cast<double>(below) + static_cast<double>(ties) / 2) / count(sample.size());
}

// The sum over pairs of |x_i - x_j| is, of sorted values, sum of (2i - m + 1) x_i over i from 0.
double fair_crps(std::vector<double> forecast, double observed) {
  if (forecast.empty()) return nan;
  std::sort(forecast.begin(), forecast.end());
  double const m = count(forecast.size());
  double error = 0, differences = 0;
  for (std::size_t i = 0; i < forecast.size(); ++i) {
    error += std::abs(forecast[i] - observed);
    differences += (2 * count(i) - m + 1) * forecast[i];
  }
  return error / m - (m > 1 ? differences / (m * (m - 1)) : 0);
}

double Lognormal::quantile(double p) const {
  return sigma > 0 && median > 0 ? median * std::exp(sigma * normal_quantile(p)) : median;
}

double crps(Lognormal const& forecast, double observed) {
  double const sigma = forecast.sigma;
  if (sigma <= 0 || forecast.median <= 0) return std::abs(observed - forecast.median);
  double const mean = forecast.median * std::exp(sigma * sigma / 2);
  double const half_spread = 2 * normal_cdf(sigma / std::sqrt(2.0)) - 1;
  // E|X - y| of y at or below zero is E X - y.
  if (observed <= 0) return mean - observed - mean * half_spread;
  double const z = std::log(observed / forecast.median) / sigma;
  return observed * (2 * normal_cdf(z) - 1) -
         2 * mean * (normal_cdf(z - sigma) + normal_cdf(sigma / std::sqrt(2.0)) - 1);
}

double interval_score(Interval const& interval, double level, double observed) {
  double const miss = std::max({interval.low - observed, observed - interval.high, 0.0});
  return interval.high - interval.low + 2 / (1 - level) * miss;
}

Interval central_interval(std::vector<double> const& forecast, double level) {
  std::vector<double> sorted = forecast;
  std::sort(sorted.begin(), sorted.end());
  return interval_of(sorted.size(), level, [&](std::size_t i) { return sorted[i]; });
}

std::vector<bool> inside_of_others(std::vector<double> const& forecast, double level) {
  std::vector<double> sorted = forecast;
  std::sort(sorted.begin(), sorted.end());
  std::vector<bool> inside;
  for (double const x : forecast) {
    auto const own = static_cast<std::size_t>(std::ranges::lower_bound(sorted, x) - sorted.begin());
    auto const other = [&](std::size_t i) { return sorted[i < own ? i : i + 1]; };
    inside.push_back(interval_of(sorted.size() - 1, level, other).contains(x));
  }
  return inside;
}

Rank rank_of(double observed, std::span<double const> forecast) {
  if (forecast.empty()) return {nan, nan};
  std::size_t below = 0, ties = 0;
  for (double const x : forecast) {
    below += x < observed ? 1 : 0;
    ties += x == observed ? 1 : 0;
  }
  double const n = count(forecast.size()) + 1;
  return {count(below) / n, count(below + ties + 1) / n};
}

}  // namespace gridcast::inline base
