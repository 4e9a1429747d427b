// The settings of a strategy that a search may change: one row for each, with its bounds, the party
// that can change it, and the settings that it depends on.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/scenario/draw_columns.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::optimize {

// The space of a search: settings with their scales and bounds, and points in it. A setting that
// depends on another one (a delay of a release that is off) has no value where it does not apply,
// so two points that mean the same are equal.
//
// Values are rounded to what a person would write: steps of 0.05 from 1 to 2 and of 0.1 from 2 to
// 10, times a power of ten. A rounded value is within 2.5 % of the exact one.

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
  /// The point and others of the setting, evenly spread over its range, in the order of its values.
  std::vector<Point> values_of(std::size_t setting, Point const& at, std::size_t steps) const;

 private:
  double rounded(std::size_t i, double value) const;
  void add(std::vector<Point>& points, Point const& from, std::size_t i,
           std::optional<double> value) const;
  void add_values(std::vector<Point>& points, Point const& from, std::size_t i,
                  std::size_t levels) const;

  std::vector<Dimension> dimensions_;
  Point start_;
};

/// In the order of the setting's values, whatever depends on them.
void sort_by(std::vector<Point>& points, std::size_t setting);

/// The party that changes a setting. An owner can bring a transfer plugin of their own
/// (`transfer_plugins`), so the client's settings are in both hands.
enum class Party { owner, access_point, site, anyone };
inline constexpr std::array<std::string_view, 4> party_names = {"owner", "access-point", "site",
                                                                "anyone"};

/// How a value is written.
enum class Unit { time, number, word };

struct Knob {
  std::string key;  // of the scenario, below the strategy's name: "transfer.stall_timeout"
  std::vector<Party> parties;
  Scale scale = Scale::logarithmic;
  Unit unit = Unit::time;
  double low = 0, high = 1, usual = 0;
  bool can_be_off = false;
  std::vector<std::string> words = {};  // of a choice, by its number
  std::function<std::optional<double>(scenario::Strategy const&)> get = {};
  std::function<void(scenario::Strategy&, std::optional<double>)> set = {};
  /// True if it has an effect with the other settings; empty: always.
  std::function<bool(scenario::Strategy const&)> applies = {};
  /// The key of a setting whose changes are also tried together with changes of this one.
  std::string with = {};
  /// True if the scenario offers it under the current strategy; empty: always.
  std::function<bool(scenario::Scenario const&, scenario::Strategy const&)> offered = {};
};

/// A field of the strategy as a number. An empty optional one is off.
inline std::optional<double> number_in(int field) { return field; }
inline std::optional<double> number_in(Seconds field) { return field.value(); }
template <class T>
std::optional<double> number_in(std::optional<T> const& field) {
  return field ? number_in(*field) : std::nullopt;
}
template <class T>
void put_number(std::optional<double> number, T& field) {
  field = static_cast<T>(number.value_or(0));
}
template <class T>
void put_number(std::optional<double> number, std::optional<T>& field) {
  field.reset();
  if (number) field = static_cast<T>(*number);
}

/// A time or a whole number in the field at the end of the chain of members; in seconds.
template <auto... members>
Knob number_knob(std::string key, std::vector<Party> parties, double low, double high,
                 double usual) {
  using Field =
      std::remove_cvref_t<decltype(scenario::at<members...>(std::declval<scenario::Strategy&>()))>;
  constexpr bool is_time =
      std::is_same_v<Field, Seconds> || std::is_same_v<Field, std::optional<Seconds>>;
  Knob knob{std::move(key),
            std::move(parties),
            is_time ? Scale::logarithmic : Scale::whole,
            is_time ? Unit::time : Unit::number,
            low,
            high,
            usual};
  knob.can_be_off = requires(Field field) { field.reset(); };
  knob.get = [](scenario::Strategy const& strategy) {
    return number_in(scenario::at<members...>(strategy));
  };
  knob.set = [](scenario::Strategy& strategy, std::optional<double> value) {
    put_number(value, scenario::at<members...>(strategy));
  };
  return knob;
}

/// The owner's choice between values of a field, the first of which is the current one.
template <auto... members, class Value>
Knob choice_knob(std::string key, std::vector<std::string> words, std::vector<Value> values) {
  Knob knob{std::move(key),
            {Party::owner},
            Scale::choice,
            Unit::word,
            0,
            static_cast<double>(values.size() - 1)};
  knob.words = std::move(words);
  knob.get = [values](scenario::Strategy const& strategy) {
    auto const found = std::ranges::find(values, scenario::at<members...>(strategy));
    return found == values.end() ? 0 : static_cast<double>(found - values.begin());
  };
  knob.set = [values](scenario::Strategy& strategy, std::optional<double> value) {
    scenario::at<members...>(strategy) = values.at(static_cast<std::size_t>(value.value_or(0)));
  };
  return knob;
}

/// "20 min", "5", "next_cache", "off".
std::string value_text(Knob const& knob, std::optional<double> value);

/// The knobs that the party controls and that can change the scenario's result.
std::vector<Knob> knobs_of(scenario::Scenario const& scenario, scenario::Strategy const& current,
                           Party party);

// The space of the strategies that differ from the current one in some knobs.
class StrategySpace {
 public:
  StrategySpace(std::vector<Knob> knobs, scenario::Strategy current);

  SearchSpace const& space() const { return space_; }
  Knob const& knob(std::size_t i) const { return knobs_[i]; }
  scenario::Strategy const& current() const { return current_; }
  scenario::Strategy strategy_at(Point const& point) const;

 private:
  std::vector<Knob> knobs_;
  scenario::Strategy current_;
  SearchSpace space_;
};

/// Settings of the campaign itself: jobs in the queue, staged submission, epochs and GPUs of a job,
/// parts of the input, and second copies of late jobs.
std::vector<Knob> submit_knobs(scenario::Scenario const& scenario,
                               scenario::Strategy const& current);
/// Settings that decide where jobs run: a site that they avoid after failures, or always, and the
/// GPUs that they prefer.
std::vector<Knob> match_knobs(scenario::Scenario const& scenario,
                              scenario::Strategy const& current);

}  // namespace gridcast::optimize
