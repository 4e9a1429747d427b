#include "calibration/inference/two_kinds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace gridcast::calibration {

namespace {

constexpr std::size_t least_of_a_kind = 4;
constexpr double narrowest = 0.2;  // as a share of the whole spread

struct Normal {
  double weight = 1, mean = 0, sd = 1;

  double density(double y) const {
    double const z = (y - mean) / sd;
    return weight * std::exp(-z * z / 2) / (sd * std::sqrt(2 * std::numbers::pi));
  }
};

struct Mixture {
  Normal low, high;

  double log_likelihood(std::vector<double> const& y) const {
    double sum = 0;
    for (double const value : y) sum += std::log(low.density(value) + high.density(value));
    return sum;
  }
};

/// The normal distribution of weighted values.
Normal weighted(std::vector<double> const& y, std::vector<double> const& belongs, double least_sd) {
  double n = 0, sum = 0, squares = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    n += belongs[i];
    sum += belongs[i] * y[i];
  }
  double const mean = sum / n;
  for (std::size_t i = 0; i < y.size(); ++i) squares += belongs[i] * (y[i] - mean) * (y[i] - mean);
  return {n / static_cast<double>(y.size()), mean, std::max(std::sqrt(squares / n), least_sd)};
}

Mixture of_weights(std::vector<double> const& y, std::vector<double> const& high, double least_sd) {
  std::vector<double> low;
  for (double const weight : high) low.push_back(1 - weight);
  return {weighted(y, low, least_sd), weighted(y, high, least_sd)};
}

/// Weights of the upper part of sorted values, at the split with the least squares within.
std::vector<double> best_split(std::vector<double> const& y) {
  std::vector<double> best;
  double least = 0;
  for (std::size_t first = least_of_a_kind; first + least_of_a_kind <= y.size(); ++first) {
    std::vector<double> belongs(y.size(), 0);
    std::fill(belongs.begin() + static_cast<std::ptrdiff_t>(first), belongs.end(), 1);
    Mixture const split = of_weights(y, belongs, 0);
    double const within = split.low.weight * split.low.sd * split.low.sd +
                          split.high.weight * split.high.sd * split.high.sd;
    if (!best.empty() && within >= least) continue;
    best = belongs;
    least = within;
  }
  return best;
}

/// Empty if one kind vanishes.
std::optional<Mixture> fit_mixture(std::vector<double> const& y, double least_sd) {
  constexpr int iterations = 500;
  std::vector<double> belongs = best_split(y);
  auto const n = static_cast<double>(y.size());
  for (int i = 0; i < iterations; ++i) {
    Mixture const mixture = of_weights(y, belongs, least_sd);
    double const slower = mixture.high.weight * n;
    if (std::min(slower, n - slower) < least_of_a_kind) return std::nullopt;
    for (std::size_t k = 0; k < y.size(); ++k) {
      double const low = mixture.low.density(y[k]), high = mixture.high.density(y[k]);
      belongs[k] = high / (low + high);
    }
  }
  return of_weights(y, belongs, least_sd);
}

}  // namespace

std::optional<TwoKinds> two_kinds(std::vector<double> const& durations) {
  std::vector<double> y;
  for (double const duration : durations) y.push_back(std::log(duration));
  std::ranges::sort(y);
  if (y.size() < 2 * least_of_a_kind || y.front() == y.back()) return std::nullopt;
  Normal const one = weighted(y, std::vector<double>(y.size(), 1), 0);
  auto const mixture = fit_mixture(y, narrowest * one.sd);
  if (!mixture) return std::nullopt;
  double const of_one = Mixture{one, {0, 0, 1}}.log_likelihood(y);
  double const gain = 2 * (mixture->log_likelihood(y) - of_one);
  if (gain <= 3 * std::log(static_cast<double>(y.size()))) return std::nullopt;
  Mixture ordered = *mixture;
  if (ordered.low.mean > ordered.high.mean) std::swap(ordered.low, ordered.high);
  return TwoKinds{std::exp(ordered.low.mean), std::exp(ordered.high.mean), ordered.high.weight,
                  ordered.high.sd};
}

}  // namespace gridcast::calibration
