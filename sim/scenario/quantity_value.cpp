#include "sim/scenario/quantity_value.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/closest.hpp"
#include "sim/base/text.hpp"

namespace gridcast::scenario {
namespace {

/// What follows the number in "350 gb".
std::string_view unit_in(std::string_view text) {
  auto const last = text.find_last_of("0123456789. \t");
  return last == std::string_view::npos ? text : text.substr(last + 1);
}

std::string_view kind_of(std::string_view text) {
  if (parse_seconds(text)) return quantity_words<Seconds>().noun;
  if (parse_bytes(text)) return quantity_words<Bytes>().noun;
  if (parse_rate(text)) return quantity_words<BytesPerSecond>().noun;
  return "";
}

}  // namespace

template <>
QuantityWords const& quantity_words<Seconds>() {
  static QuantityWords const words{"a time", "5 min", {"ms", "s", "min", "h", "d", "w"}};
  return words;
}

template <>
QuantityWords const& quantity_words<Bytes>() {
  static QuantityWords const words{
      "a size", "137 GB", {"B", "kB", "MB", "GB", "TB", "PB", "KiB", "MiB", "GiB", "TiB", "PiB"}};
  return words;
}

template <>
QuantityWords const& quantity_words<BytesPerSecond>() {
  static QuantityWords const words{
      "a rate", "10 Gbps", {"B/s", "kB/s", "MB/s", "GB/s", "bps", "kbps", "Mbps", "Gbps", "Tbps"}};
  return words;
}

template <>
std::vector<std::string_view> quantity_units<Seconds>() {
  return {"ms",   "sec", "seconds", "second", "s", "minutes", "minute", "min", "hours",
          "hour", "h",   "days",    "day",    "d", "weeks",   "week",   "w"};
}

template <>
std::vector<std::string_view> quantity_units<Bytes>() {
  return {"B", "kB", "MB", "GB", "TB", "PB", "KiB", "MiB", "GiB", "TiB", "PiB"};
}

template <>
std::vector<std::string_view> quantity_units<BytesPerSecond>() {
  return {"[kMGTP]?B/s", "[KMGTP]iB/s", "[kMGT]?bit/s", "[kMGT]?bps"};
}

template <>
std::optional<Seconds> parse_quantity(std::string_view text) {
  return parse_seconds(text);
}
template <>
std::optional<Bytes> parse_quantity(std::string_view text) {
  return parse_bytes(text);
}
template <>
std::optional<BytesPerSecond> parse_quantity(std::string_view text) {
  return parse_rate(text);
}

std::string not_a_quantity(std::string_view text, QuantityWords const& wanted) {
  std::string_view const kind = kind_of(text);
  if (!kind.empty()) return fmt::format("'{}' is {} where {} is wanted", text, kind, wanted.noun);
  bool const has_number = text.find_first_of("0123456789") != std::string_view::npos;
  if (has_number && unit_in(text).empty()) return fmt::format("'{}' has no unit", text);
  return fmt::format("'{}' is not {}", text, wanted.noun);
}

std::string unit_hint(std::string_view text, QuantityWords const& wanted) {
  std::string const known =
      fmt::format("Units: {}, as in '{}'.", fmt::join(wanted.units, ", "), wanted.example);
  std::string_view const unit = kind_of(text).empty() ? unit_in(trim(text)) : "";
  std::string const near = closest(unit, wanted.units);
  return near.empty() || near == unit ? known : fmt::format("Did you mean '{}'? {}", near, known);
}

}  // namespace gridcast::scenario
