// A text that is a number and nothing else, in any locale.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace gridcast::inline base {

/// The number that the whole text is; none if it is anything else or out of range. "inf" and "nan"
/// are numbers of floating-point types.
template <class Number>
std::optional<Number> text_as(std::string_view text) {
  Number value{};
  char const* const end = text.data() + text.size();
  auto const [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

}  // namespace gridcast::inline base
