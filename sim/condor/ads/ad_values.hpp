// Values of a ClassAd, put where facts about jobs have them: checked, and left where they were if
// they cannot be. Names of attributes are compared without regard to case.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/text.hpp"
#include "sim/base/text_number.hpp"
#include "sim/base/units.hpp"
#include "sim/classad/expression.hpp"
#include "sim/condor/ads/ad_text.hpp"
#include "sim/condor/ads/job_ads.hpp"

namespace gridcast::condor {

// Each `take` is false for a value that the member cannot have.

/// A number, or a text that is one: exporters of JSON write "12". `other` for all else.
inline double number_in(classad::Value const& value, double other) {
  auto const* text = value.as<std::string>();
  if (text == nullptr) return value.number(other);
  return text_as<double>(trim(*text)).value_or(other);
}

inline bool take(UnixDate& into, classad::Value const& value) {
  double const date = number_in(value, latest_date + 1);
  if (date > latest_date) return false;
  if (date > 0) into = static_cast<std::int64_t>(date);
  return date >= -1;
}

inline bool take(std::optional<Seconds>& into, classad::Value const& value) {
  double const time = number_in(value, -1);
  if (!(time >= 0 && time <= longest_s)) return false;
  into = Seconds(time);
  return true;
}

template <class Number>
bool take(std::optional<Number>& into, classad::Value const& value) {
  double const number = number_in(value, std::numeric_limits<double>::infinity());
  if (!(number >= static_cast<double>(std::numeric_limits<Number>::min()) &&
        number <= static_cast<double>(std::numeric_limits<Number>::max()))) {
    return false;
  }
  into = static_cast<Number>(number);
  return true;
}

inline bool take(std::string& into, classad::Value const& value) {
  auto const* text = value.as<std::string>();
  if (text != nullptr) into = *text;
  return text != nullptr;
}

inline bool take(bool& into, classad::Value const& value) {
  auto const* truth = value.as<bool>();
  if (truth != nullptr) into = *truth;
  return truth != nullptr;
}

// An amount in units of so many bytes.
inline bool take(std::optional<Bytes>& into, classad::Value const& value, double unit) {
  double const amount = number_in(value, -1);
  if (!(amount >= 0 && amount < 1e15)) return false;
  into = Bytes(amount * unit);
  return true;
}

/// Null where the ad has none.
inline classad::Value const* find(TextAd const& ad, std::string_view name) {
  for (auto const& [known, value] : ad.attributes) {
    if (same_ignoring_case(known, name)) return &value;
  }
  return nullptr;
}

template <class Type>
bool take_from(TextAd const& ad, std::string_view name, Type& into) {
  classad::Value const* value = find(ad, name);
  return value != nullptr && !value->is_undefined() && take(into, *value);
}

template <class Type>
bool take_from(classad::Ad const& ad, std::string_view name, Type& into) {
  classad::Value const value = ad.lookup(name);
  return !value.is_undefined() && take(into, value);
}

}  // namespace gridcast::condor
