#include "calibration/inference/slice_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gridcast::calibration {

namespace {

constexpr int most_widenings = 30;
constexpr int most_shrinks = 200;

}  // namespace

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

void SliceSampler::move_along(Curve curve, double width, std::size_t changed, Redraw redraw) {
  directions_.push_back({{}, changed, std::move(curve), width, std::move(redraw)});
}

void SliceSampler::go(double value, Direction const& direction) {
  if (direction.curve) {
    at_ = direction.curve(at_, value);
    return;
  }
  std::size_t const first = direction.coordinates.front();
  double const step = value - at_[first];
  for (std::size_t const i : direction.coordinates) at_[i] += step;
  at_[first] = value;
}

// One coordinate of many moves without a copy of all.
double SliceSampler::log_density(double value, Direction const& direction) {
  double log_density = 0;
  if (direction.curve) {
    log_density = density_(direction.curve(at_, value), direction.changed);
  } else {
    kept_.clear();
    for (std::size_t const i : direction.coordinates) kept_.push_back(at_[i]);
    go(value, direction);
    log_density = density_(at_, direction.changed);
    for (std::size_t i = 0; i < kept_.size(); ++i) at_[direction.coordinates[i]] = kept_[i];
  }
  return std::isnan(log_density) ? -std::numeric_limits<double>::infinity() : log_density;
}

void SliceSampler::move(Direction const& direction) {
  bool const curved = static_cast<bool>(direction.curve);
  double const here = curved ? 0 : at_[direction.coordinates.front()];
  double const width = curved ? direction.width : widths_[direction.coordinates.front()];
  double const level = log_density(here, direction) + std::log(stream_.uniform());
  double low = here - width * stream_.uniform();
  double high = low + width;
  int steps = most_widenings;
  while (steps > 0 && log_density(low, direction) > level) low -= width, --steps;
  while (steps > 0 && log_density(high, direction) > level) high += width, --steps;
  for (int shrink = 0; shrink < most_shrinks; ++shrink) {
    double const next = low + (high - low) * stream_.uniform();
    if (log_density(next, direction) >= level) {
      go(next, direction);
      return;
    }
    (next < here ? low : high) = next;
  }
}

void SliceSampler::sweep() {
  for (auto const& direction : directions_) {
    move(direction);
    if (direction.redraw) direction.redraw(at_, stream_);
  }
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
