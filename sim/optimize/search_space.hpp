// The space of a search: settings with their scales and bounds, and points in it. A setting that
// depends on another one (a delay of a release that is off) has no value where it does not apply,
// so two points that mean the same are equal.
//
// Values are rounded to what a person would write: steps of 0.05 from 1 to 2 and of 0.1 from 2 to
// 10, times a power of ten. A rounded value is within 2.5 % of the exact one.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/random.hpp"

namespace gridcast::optimize {

/// A value for each setting; none: the setting is off, or does not apply.
using Point = std::vector<std::optional<double>>;

enum class Scale {
  choice,       // 0, 1, ..., without an order
  whole,        // whole numbers
  logarithmic,  // positive real numbers, whose ratios matter
};

struct Dimension {
  std::string name;
  Scale scale = Scale::logarithmic;
  double low = 0, high = 1;
  double usual = 0;  // when the setting is switched on by another one
  bool can_be_off = false;
  std::function<bool(Point const&)> applies = {};  // empty: always; sees the settings before it
  /// A change of that setting comes with several values of this one: it can be good only together.
  std::optional<std::size_t> with = {};
};

class SearchSpace {
 public:
  SearchSpace(std::vector<Dimension> dimensions, Point start);

  std::size_t size() const { return dimensions_.size(); }
  Dimension const& dimension(std::size_t i) const { return dimensions_[i]; }
  Point const& start() const { return start_; }
  bool applies(std::size_t i, Point const& point) const;

  /// The point with rounded values within the bounds, without values that do not apply. A value of
  /// the start is never rounded.
  Point canonical(Point point) const;
  /// Settings whose values differ from the start's.
  std::vector<std::size_t> changes(Point const& point) const;
  /// Those among them that change something: one that only follows another one does not.
  std::vector<std::size_t> own_changes(Point const& point) const;
  /// The point with the start's value of this setting.
  Point without(Point const& point, std::size_t setting) const;
  /// The point without each change that is not needed: `serves` is true for a point that serves at
  /// least as well as the whole one.
  Point simplest(Point const& point, std::function<bool(Point const&)> const& serves) const;

  /// Points that differ from `point` in one setting: every other choice, and numbers at `levels`
  /// values that are evenly spread over their range. A change that makes other settings apply, or
  /// that others go with, comes with several values of those.
  std::vector<Point> single_changes(Point const& point, std::size_t levels) const;
  /// The same with each number one step lower and higher; `step` is a share of its range.
  std::vector<Point> steps_from(Point const& point, double step) const;
  /// A point in which about this share of the settings of `point` is drawn anew.
  Point random_from(Point const& point, double share, RandomStream& stream) const;

  /// The value as a share of its range, and back. Only of numbers.
  double share_of(std::size_t i, double value) const;
  double value_at(std::size_t i, double share) const;

 private:
  double rounded(std::size_t i, double value) const;
  void add(std::vector<Point>& points, Point const& from, std::size_t i,
           std::optional<double> value) const;
  void add_values(std::vector<Point>& points, Point const& from, std::size_t i,
                  std::size_t levels) const;

  std::vector<Dimension> dimensions_;
  Point start_;
};

}  // namespace gridcast::optimize
