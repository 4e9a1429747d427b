#include "sim/base/scores.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/base/distribution.hpp"
#include "sim/base/error.hpp"
#include "sim/base/numbers.hpp"

namespace gridcast::inline base {

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
  auto const ends = quantiles(forecast, std::array{(1 - level) / 2, (1 + level) / 2});
  return {ends[0], ends[1]};
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

std::vector<Rank> ranks_among_others(std::span<double const> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<Rank> ranks;
  ranks.reserve(values.size());
  double const n = count(values.size());
  for (double const x : values) {
    auto const [first, last] = std::equal_range(sorted.begin(), sorted.end(), x);
    ranks.push_back({static_cast<double>(first - sorted.begin()) / n,
                     static_cast<double>(last - sorted.begin()) / n});
  }
  return ranks;
}

void RankHistogram::add(Rank const& rank) {
  double const bins = count(counts_.size());
  double const width = rank.high - rank.low;
  check(width > 0, "a rank among n values is 1 / (n + 1) wide at least");
  for (std::size_t b = 0; b < counts_.size(); ++b) {
    double const from = std::max(rank.low, count(b) / bins);
    double const to = std::min(rank.high, count(b + 1) / bins);
    counts_[b] += std::max(0.0, to - from) / width;
  }
}

double RankHistogram::chi_square() const {
  double total = 0;
  for (double const n : counts_) total += n;
  if (total <= 0) return 0;
  double const expected = total / count(counts_.size());
  double sum = 0;
  for (double const n : counts_) sum += (n - expected) * (n - expected) / expected;
  return sum;
}

double VarianceParts::share_between() const {
  double const all = between + within;
  return all > 0 ? between / all : nan;
}

VarianceParts one_way(std::span<double const> values, std::size_t a_row) {
  check(a_row >= 2, "a row has two values at least");
  std::size_t const rows = values.size() / a_row;
  std::vector<double> means;
  double within = 0;
  for (std::size_t k = 0; k < rows; ++k) {
    auto const row = values.subspan(k * a_row, a_row);
    means.push_back(mean(row));
    within += variance(row);
  }
  if (rows == 0) return {};
  within /= count(rows);
  // Of the means: MS_between / r.
  return {std::max(0.0, variance(means) - within / count(a_row)), within};
}

}  // namespace gridcast::inline base
