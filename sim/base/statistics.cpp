#include "sim/base/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <boost/math/distributions/students_t.hpp>

#include "sim/base/distribution.hpp"
#include "sim/base/error.hpp"
#include "sim/base/numbers.hpp"

namespace gridcast::inline base {
namespace {

double quantile_of_sorted(std::vector<double> const& x, double p) {
  if (x.empty()) return nan;
  double const place = p * count(x.size() - 1);
  auto const below = std::min(static_cast<std::size_t>(place), x.size() - 1);
  double const part = place - count(below);
  // Not x + 0 * (y - x): the next value may not exist, or be infinite.
  if (part == 0) return x[below];
  return x[below] + part * (x[below + 1] - x[below]);
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
  std::vector<double> result;
  result.reserve(p.size());
  for (double const each : p) result.push_back(quantile_of_sorted(x, each));
  return result;
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

Interval rate_interval(std::size_t events, double exposure, double level) {
  if (!(exposure > 0)) return {0, infinity};
  double const shape = count(events) + 0.5;
  double const tail = (1 - level) / 2;
  return {gamma_quantile(tail, shape, 1 / exposure), gamma_quantile(1 - tail, shape, 1 / exposure)};
}

double dispersion_index(std::span<double const> counts) {
  double const center = mean(counts);
  return center > 0 ? variance(counts) / center : 0;
}

double kolmogorov_distance(std::vector<double> a, std::vector<double> b) {
  if (a.empty() || b.empty()) return nan;
  double distance = 0;
  walk(std::move(a), std::move(b),
       [&](double, double, double f, double g) { distance = std::max(distance, std::abs(f - g)); });
  return distance;
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

}  // namespace gridcast::inline base
