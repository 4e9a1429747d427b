// What to say of a text that should have been a time, a size or a rate.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"

namespace gridcast::scenario {

struct QuantityWords {
  std::string_view noun;           // "a time"
  std::string_view example;        // "5 min"
  std::vector<std::string> units;  // those worth naming
};

/// Every name of a unit that can be read, as in sim/base/units.hpp.
template <class Quantity>
std::vector<std::string_view> quantity_units();
template <>
std::vector<std::string_view> quantity_units<Seconds>();
template <>
std::vector<std::string_view> quantity_units<Bytes>();
template <>
std::vector<std::string_view> quantity_units<BytesPerSecond>();

template <class Quantity>
QuantityWords const& quantity_words();
template <>
QuantityWords const& quantity_words<Seconds>();
template <>
QuantityWords const& quantity_words<Bytes>();
template <>
QuantityWords const& quantity_words<BytesPerSecond>();

template <class Quantity>
std::optional<Quantity> parse_quantity(std::string_view text);
template <>
std::optional<Seconds> parse_quantity(std::string_view text);
template <>
std::optional<Bytes> parse_quantity(std::string_view text);
template <>
std::optional<BytesPerSecond> parse_quantity(std::string_view text);

/// "'350 h' is a time where a size is wanted", "'350' has no unit", "'x' is not a size".
std::string not_a_quantity(std::string_view text, QuantityWords const& wanted);
/// "Did you mean 'GB'? Units: ..., as in '137 GB'."
std::string unit_hint(std::string_view text, QuantityWords const& wanted);

template <class Quantity>
std::string not_a_quantity(std::string_view text) {
  return not_a_quantity(text, quantity_words<Quantity>());
}
template <class Quantity>
std::string unit_hint(std::string_view text) {
  return unit_hint(text, quantity_words<Quantity>());
}

}  // namespace gridcast::scenario
