#include "calibration/slice_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gridcast::calibration {

namespace {

constexpr int most_steps = 30;
constexpr int most_shrinks = 200;

}  // namespace

SliceSampler::SliceSampler(LogDensity density, std::vector<double> start,
                           std::vector<double> widths, RandomStream stream)
    : density_(std::move(density)),
      at_(std::move(start)),
      widths_(std::move(widths)),
      stream_(stream) {}

double SliceSampler::log_density(double value, std::size_t coordinate) {
  double const before = std::exchange(at_[coordinate], value);
  double const log_density = density_(at_, coordinate);
  at_[coordinate] = before;
  return std::isnan(log_density) ? -std::numeric_limits<double>::infinity() : log_density;
}

void SliceSampler::move(std::size_t coordinate) {
  double const here = at_[coordinate];
  double const width = widths_[coordinate];
  double const level = log_density(here, coordinate) + std::log(stream_.uniform());
  double low = here - width * stream_.uniform();
  double high = low + width;
  int steps = most_steps;
  while (steps > 0 && log_density(low, coordinate) > level) low -= width, --steps;
  while (steps > 0 && log_density(high, coordinate) > level) high += width, --steps;
  for (int shrink = 0; shrink < most_shrinks; ++shrink) {
    double const next = low + (high - low) * stream_.uniform();
    if (log_density(next, coordinate) >= level) {
      at_[coordinate] = next;
      return;
    }
    (next < here ? low : high) = next;
  }
}

void SliceSampler::sweep() {
  for (std::size_t i = 0; i < at_.size(); ++i) move(i);
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

}  // namespace gridcast::calibration
