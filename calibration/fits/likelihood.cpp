#include "calibration/fits/likelihood.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlopt.hpp>

#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

using Function = std::function<double(std::vector<double> const&)>;

double evaluate(std::vector<double> const& x, std::vector<double>&, void* data) {
  double const value = (*static_cast<Function const*>(data))(x);
  return std::isfinite(value) ? value : 1e300;
}

constexpr int most_steps = 30;
constexpr int most_shrinks = 200;

// A stamp that no model explains (a clock that stepped) costs so much and not more.
constexpr double least_probability = 1e-12;

// H(k) of the header, in closed form.
double expected_rest(LogNormal const& x, double k) {
  if (k <= 0) return 0;
  double const z = (std::log(k) - x.mu) / x.sigma;
  return k * normal_cdf(z) - std::exp(x.mu + x.sigma * x.sigma / 2) * normal_cdf(z - x.sigma);
}

// Mean of the distribution function from a to b: Gauss-Legendre, four points (Abramowitz & Stegun
// 25.4). As H' = F, the probability of the header is the mean of F over the tick after k less that
// over the tick before.
double mean_cdf(Distribution const& x, double a, double b) {
  constexpr std::array<double, 2> at = {0.3399810435848563, 0.8611363115940526};
  constexpr std::array<double, 2> weight = {0.6521451548625461, 0.3478548451374538};
  double const middle = (a + b) / 2;
  double const half = (b - a) / 2;
  double sum = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    sum += weight[i] * (x.cdf(middle - half * at[i]) + x.cdf(middle + half * at[i]));
  }
  return sum / 2;
}

}  // namespace

Minimum minimise(Function const& function, std::vector<double> start, double first_step,
                 SearchBox const& box, int most_evaluations) {
  nlopt::opt search(nlopt::LN_SBPLX, static_cast<unsigned>(start.size()));
  search.set_min_objective(evaluate, const_cast<Function*>(&function));
  search.set_xtol_abs(1e-6);
  search.set_ftol_abs(1e-8);
  search.set_maxeval(most_evaluations);
  search.set_initial_step(first_step);
  if (!box.low.empty()) search.set_lower_bounds(box.low);
  if (!box.high.empty()) search.set_upper_bounds(box.high);
  Minimum found{std::move(start), 0};
  search.optimize(found.at, found.value);
  return found;
}

SliceSampler::SliceSampler(LogDensity density, std::vector<double> start,
                           std::vector<double> widths, RandomStream stream)
    : density_(std::move(density)),
      at_(std::move(start)),
      widths_(std::move(widths)),
      stream_(stream) {
  for (std::size_t i = 0; i < at_.size(); ++i) directions_.push_back({{i}, i});
}

void SliceSampler::move_together(std::vector<std::size_t> coordinates, std::size_t changed) {
  directions_.push_back({std::move(coordinates), changed});
}

std::vector<double> SliceSampler::moved(double value, Direction const& direction) const {
  std::vector<double> x = at_;
  std::size_t const first = direction.coordinates.front();
  double const step = value - at_[first];
  for (std::size_t const i : direction.coordinates) x[i] += step;
  x[first] = value;
  return x;
}

double SliceSampler::log_density(double value, Direction const& direction) const {
  double const log_density = density_(moved(value, direction), direction.changed);
  return std::isnan(log_density) ? -std::numeric_limits<double>::infinity() : log_density;
}

void SliceSampler::move(Direction const& direction) {
  double const here = at_[direction.coordinates.front()];
  double const width = widths_[direction.coordinates.front()];
  double const level = log_density(here, direction) + std::log(stream_.uniform());
  double low = here - width * stream_.uniform();
  double high = low + width;
  int steps = most_steps;
  while (steps > 0 && log_density(low, direction) > level) low -= width, --steps;
  while (steps > 0 && log_density(high, direction) > level) high += width, --steps;
  for (int shrink = 0; shrink < most_shrinks; ++shrink) {
    double const next = low + (high - low) * stream_.uniform();
    if (log_density(next, direction) >= level) {
      at_ = moved(next, direction);
      return;
    }
    (next < here ? low : high) = next;
  }
}

void SliceSampler::sweep() {
  for (auto const& direction : directions_) move(direction);
}

void SliceSampler::sweep(std::size_t times) {
  for (std::size_t i = 0; i < times; ++i) sweep();
}

std::vector<std::vector<double>> SliceSampler::draws(std::size_t count, std::size_t thin) {
  sweep(std::max<std::size_t>(50, count * thin / 10));
  std::vector<std::vector<double>> draws;
  draws.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    sweep(thin);
    draws.push_back(at_);
  }
  return draws;
}

double log_beta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

double log_normal_cdf(double z) {
  if (z > -30) return std::log(normal_cdf(z));
  return -z * z / 2 - std::log(-z) - 0.9189385332046727;  // Mills' ratio
}

double log_rounded(LogNormal const& x, double shift, double d, double tick) {
  double const k = d - shift;
  double const p =
      (expected_rest(x, k + tick) - 2 * expected_rest(x, k) + expected_rest(x, k - tick)) / tick;
  return std::log(std::max(p, least_probability));
}

double log_rounded(Distribution const& x, double known, double d, double tick) {
  double const k = d - known;
  double const p = mean_cdf(x, k, k + tick) - mean_cdf(x, k - tick, k);
  return std::log(std::max(p, least_probability));
}

double log_longer(LogNormal const& x, double shift, double c) {
  if (c <= shift) return 0;
  return log_normal_cdf((x.mu - std::log(c - shift)) / x.sigma);
}

void LogNormalSum::add(LogNormal const& term) {
  double const square = term.sigma * term.sigma;
  double const mean = std::exp(term.mu + square / 2);
  mean_ += mean;
  variance_ += mean * mean * std::expm1(square);
}

LogNormal LogNormalSum::total() const {
  double const square = std::log1p(variance_ / (mean_ * mean_));
  return {std::log(mean_) - square / 2, std::sqrt(square)};
}

std::string normality(std::vector<double> const& standardised) {
  if (standardised.size() < 5) return "";
  std::vector<double> u;
  for (double const z : standardised) u.push_back(std::exp(log_normal_cdf(z)));
  std::sort(u.begin(), u.end());
  double const n = static_cast<double>(u.size());
  double distance = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    double const below = static_cast<double>(i) / n;
    distance = std::max({distance, u[i] - below, below + 1 / n - u[i]});
  }
  return fmt::format("Kolmogorov distance {:.3f}, 5 % critical {:.3f}, n = {}", distance,
                     0.886 / std::sqrt(n), u.size());
}

}  // namespace gridcast::calibration
