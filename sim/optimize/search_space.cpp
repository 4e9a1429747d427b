#include "sim/optimize/search_space.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/error.hpp"

namespace gridcast::optimize {
namespace {

/// The nearest of 1, 1.05, ..., 2, 2.1, ..., 10 times a power of ten.
double readable(double value) {
  double const power = std::pow(10, std::floor(std::log10(value) + 1e-12));
  double const steps = value / power < 2 ? 20 : 10;
  // A quotient of whole numbers is the number that a person writes.
  double const whole = std::round(value / power * steps);
  return power < 1 ? whole / (steps / power) : whole * power / steps;
}

double to_share(Dimension const& dimension, double value) {
  if (dimension.high <= dimension.low) return 0;
  if (dimension.scale == Scale::logarithmic) {
    return std::log(value / dimension.low) / std::log(dimension.high / dimension.low);
  }
  return (value - dimension.low) / (dimension.high - dimension.low);
}

double from_share(Dimension const& dimension, double share) {
  if (dimension.scale == Scale::logarithmic) {
    return dimension.low * std::pow(dimension.high / dimension.low, share);
  }
  return dimension.low + share * (dimension.high - dimension.low);
}

}  // namespace

SearchSpace::SearchSpace(std::vector<Dimension> dimensions, Point start)
    : dimensions_(std::move(dimensions)), start_(std::move(start)) {
  check(dimensions_.size() == start_.size(), "the start has a value for each setting");
  start_ = canonical(start_);
}

bool SearchSpace::applies(std::size_t i, Point const& point) const {
  return !dimensions_[i].applies || dimensions_[i].applies(point);
}

double SearchSpace::rounded(std::size_t i, double value) const {
  Dimension const& dimension = dimensions_[i];
  if (start_[i] && *start_[i] == value) return value;
  double const inside = std::clamp(value, dimension.low, dimension.high);
  if (dimension.scale != Scale::logarithmic) return std::round(inside);
  return std::clamp(readable(inside), dimension.low, dimension.high);
}

Point SearchSpace::canonical(Point point) const {
  for (std::size_t i = 0; i < point.size(); ++i) {
    if (!applies(i, point)) {
      point[i].reset();
    } else if (point[i]) {
      point[i] = rounded(i, *point[i]);
    } else if (!dimensions_[i].can_be_off) {
      point[i] = start_[i].value_or(dimensions_[i].usual);
    }
  }
  return point;
}

std::vector<std::size_t> SearchSpace::changes(Point const& point) const {
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < point.size(); ++i) {
    if (point[i] != start_[i] && (point[i] || applies(i, point))) changed.push_back(i);
  }
  return changed;
}

Point SearchSpace::without(Point const& point, std::size_t setting) const {
  Point changed = point;
  changed[setting] = start_[setting];
  return canonical(std::move(changed));
}

std::vector<std::size_t> SearchSpace::own_changes(Point const& point) const {
  auto settings = changes(point);
  std::erase_if(settings, [&](std::size_t i) { return without(point, i) == point; });
  return settings;
}

Point SearchSpace::simplest(Point const& point,
                            std::function<bool(Point const&)> const& serves) const {
  Point simple = point;
  for (std::size_t const i : own_changes(point)) {
    Point const candidate = without(simple, i);
    if (candidate != simple && serves(candidate)) simple = candidate;
  }
  return simple;
}

double SearchSpace::share_of(std::size_t i, double value) const {
  return to_share(dimensions_[i], value);
}

double SearchSpace::value_at(std::size_t i, double share) const {
  return from_share(dimensions_[i], std::clamp(share, 0.0, 1.0));
}

void SearchSpace::add(std::vector<Point>& points, Point const& from, std::size_t i,
                      std::optional<double> value) const {
  Point point = from;
  point[i] = value;
  point = canonical(point);
  if (point == from || std::find(points.begin(), points.end(), point) != points.end()) return;
  points.push_back(std::move(point));
}

void SearchSpace::add_values(std::vector<Point>& points, Point const& from, std::size_t i,
                             std::size_t levels) const {
  Dimension const& dimension = dimensions_[i];
  if (dimension.can_be_off) add(points, from, i, std::nullopt);
  if (start_[i]) add(points, from, i, start_[i]);
  if (dimension.scale == Scale::choice) {
    for (double x = dimension.low; x <= dimension.high; ++x) add(points, from, i, x);
    return;
  }
  for (std::size_t k = 0; k < levels; ++k) {
    double const share = static_cast<double>(k) / static_cast<double>(levels - 1);
    add(points, from, i, value_at(i, share));
  }
}

std::vector<Point> SearchSpace::single_changes(Point const& point, std::size_t levels) const {
  std::vector<Point> points;
  for (std::size_t i = 0; i < size(); ++i) {
    if (applies(i, point)) add_values(points, point, i, levels);
  }
  constexpr std::size_t most_dependent = 5;
  auto const alone = points;
  for (Point const& changed : alone) {
    for (std::size_t i = 0; i < size(); ++i) {
      auto const with = dimensions_[i].with;
      bool const goes_with = with && changed[*with] != point[*with];
      bool const new_here = applies(i, changed) && !applies(i, point);
      if (new_here || goes_with) add_values(points, changed, i, std::min(levels, most_dependent));
    }
  }
  std::erase(points, point);
  return points;
}

std::vector<Point> SearchSpace::steps_from(Point const& point, double step) const {
  std::vector<Point> points;
  for (std::size_t i = 0; i < size(); ++i) {
    if (!applies(i, point)) continue;
    Dimension const& dimension = dimensions_[i];
    if (dimension.can_be_off) add(points, point, i, std::nullopt);
    if (dimension.scale == Scale::choice) {
      for (double x = dimension.low; x <= dimension.high; ++x) add(points, point, i, x);
    } else if (!point[i]) {
      add(points, point, i, dimension.usual);
    } else {
      double const least =
          dimension.scale == Scale::whole ? 1 / std::max(1.0, dimension.high - dimension.low) : 0;
      for (double const sign : {-1.0, 1.0}) {
        double const share = share_of(i, *point[i]) + sign * std::max(step, least);
        add(points, point, i, value_at(i, share));
      }
    }
  }
  return points;
}

Point SearchSpace::random_from(Point const& point, double share, RandomStream& stream) const {
  constexpr double off = 0.25;
  Point drawn = point;
  for (std::size_t i = 0; i < size(); ++i) {
    bool const anew = stream.chance(share), none = stream.chance(off);
    double const place = stream.uniform();
    if (!anew) continue;
    Dimension const& dimension = dimensions_[i];
    if (dimension.can_be_off && none) {
      drawn[i].reset();
    } else if (dimension.scale == Scale::logarithmic) {
      drawn[i] = value_at(i, place);
    } else {
      drawn[i] = std::floor(dimension.low + place * (dimension.high - dimension.low + 1));
    }
  }
  return canonical(std::move(drawn));
}

}  // namespace gridcast::optimize
