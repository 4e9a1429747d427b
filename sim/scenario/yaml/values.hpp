// Single values out of YAML: text, numbers, quantities with their units, words out of a list.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "sim/base/units.hpp"
#include "sim/classad/expression.hpp"
#include "sim/scenario/range.hpp"
#include "sim/scenario/yaml/document.hpp"

namespace gridcast::scenario {

/// What a key holds, for messages and for the schema.
enum class Form {
  text,
  word,  // one of a list
  truth,
  integer,
  number,
  time,
  size,
  rate,
  time_range,    // "5 min..10 min"
  factor_range,  // "2" or "0.5..4"
  expression,    // of the ClassAd language
  file,
  names,           // a list of texts
  section,         // keys below
  sections,        // a list of those
  named_sections,  // a name of one's own for each
};

/// Of numbers and quantities, in SI units.
struct Bounds {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
  bool above = false;  // `least` itself is too small
};

constexpr Bounds not_negative() { return {}; }
constexpr Bounds positive() { return {0, std::numeric_limits<double>::infinity(), true}; }
constexpr Bounds between(double least, double most) { return {least, most}; }
constexpr Bounds share() { return {0, 1, true}; }

/// "above 0", "from 1 to 100"; nothing where only negative values are excluded.
std::string to_text(Bounds const& bounds);

// Each reads `value` into `out`, or complains and leaves `out` alone.
void read_value(YamlValue const& value, Bounds const& bounds, std::string& out);
void read_value(YamlValue const& value, Bounds const& bounds, bool& out);
void read_value(YamlValue const& value, Bounds const& bounds, int& out);
void read_value(YamlValue const& value, Bounds const& bounds, std::uint64_t& out);
void read_value(YamlValue const& value, Bounds const& bounds, double& out);
void read_value(YamlValue const& value, Bounds const& bounds, Seconds& out);
void read_value(YamlValue const& value, Bounds const& bounds, Bytes& out);
void read_value(YamlValue const& value, Bounds const& bounds, BytesPerSecond& out);
void read_value(YamlValue const& value, Bounds const& bounds, TimeRange& out);
void read_value(YamlValue const& value, Bounds const& bounds, FactorRange& out);
void read_value(YamlValue const& value, Bounds const& bounds, std::vector<std::string>& out);
void read_value(YamlValue const& value, Bounds const& bounds,
                std::optional<classad::Expression>& out);
template <class T>
void read_value(YamlValue const& value, Bounds const& bounds, std::optional<T>& out) {
  T read{};
  read_value(value, bounds, read);
  if (!value.document.is_bad(value.path)) out = read;
}
/// The position of a word in its list.
std::optional<std::size_t> read_word(YamlValue const& value, std::vector<std::string> const& words);

constexpr Form form_of(std::string const&) { return Form::text; }
constexpr Form form_of(bool) { return Form::truth; }
constexpr Form form_of(int) { return Form::integer; }
constexpr Form form_of(std::uint64_t) { return Form::integer; }
constexpr Form form_of(double) { return Form::number; }
constexpr Form form_of(FactorRange const&) { return Form::factor_range; }
constexpr Form form_of(Seconds) { return Form::time; }
constexpr Form form_of(Bytes) { return Form::size; }
constexpr Form form_of(BytesPerSecond) { return Form::rate; }
constexpr Form form_of(std::vector<std::string> const&) { return Form::names; }
constexpr Form form_of(std::optional<classad::Expression> const&) { return Form::expression; }
template <class T>
constexpr Form form_of(std::optional<T> const&) {
  return form_of(T());
}

/// Every unit of times, sizes or rates that can be read (sim/base/units.hpp), as parts of a
/// pattern.
std::vector<std::string_view> time_units();
std::vector<std::string_view> size_units();
std::vector<std::string_view> rate_units();

/// As one would write it, of quantities three digits; empty where nothing is the default.
template <class T>
std::string default_text(T const& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_arithmetic_v<T>) {
    return fmt::format("{}", value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (std::is_same_v<T, classad::Expression>) {
    return value.text();
  } else {
    return to_text(value);
  }
}
template <class T>
std::string default_text(std::optional<T> const& value) {
  return value ? default_text(*value) : "";
}

}  // namespace gridcast::scenario
