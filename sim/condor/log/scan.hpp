// Small steps through text that is looked at in place: each takes its part off the front.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/base/text.hpp"

namespace gridcast::condor {

inline constexpr std::size_t npos = std::string_view::npos;

}  // namespace gridcast::condor

namespace gridcast::condor::scan {

inline bool has(std::string_view text, std::string_view words) { return text.find(words) != npos; }

/// True if `rest` begins with `expected`, which is then taken off.
inline bool eat(std::string_view& rest, std::string_view expected) {
  if (!rest.starts_with(expected)) return false;
  rest.remove_prefix(expected.size());
  return true;
}

/// The same, of names of attributes, whose case does not count.
inline bool eat_name(std::string_view& rest, std::string_view expected) {
  if (!same_ignoring_case(rest.substr(0, expected.size()), expected)) return false;
  rest.remove_prefix(expected.size());
  return true;
}

/// A whole number of at most 18 digits, perhaps with a minus.
inline std::optional<std::int64_t> integer(std::string_view& rest) {
  bool const negative = !rest.empty() && rest.front() == '-';
  std::size_t i = negative ? 1 : 0;
  std::size_t const first = i;
  std::int64_t value = 0;
  for (; i < rest.size() && is_digit(rest[i]); ++i) {
    if (i - first == 18) return std::nullopt;
    value = 10 * value + (rest[i] - '0');
  }
  if (i == first) return std::nullopt;
  rest.remove_prefix(i);
  return negative ? -value : value;
}

/// The same within an int's range; nothing out of range.
inline std::optional<int> small_integer(std::string_view& rest) {
  auto const value = integer(rest);
  if (!value || *value > 2147483647 || *value < -2147483647) return std::nullopt;
  return static_cast<int>(*value);
}

/// So many digits, or none.
inline std::optional<int> digits(std::string_view& rest, std::size_t count) {
  if (rest.size() < count) return std::nullopt;
  int value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_digit(rest[i])) return std::nullopt;
    value = 10 * value + (rest[i] - '0');
  }
  rest.remove_prefix(count);
  return value;
}

/// An XML entity and the character that it stands for. Only ASCII is written as a number ("&#10;").
inline std::optional<char> eat_entity(std::string_view& rest) {
  constexpr std::pair<std::string_view, char> entities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  for (auto const& [text, meaning] : entities) {
    if (eat(rest, text)) return meaning;
  }
  std::string_view number = rest;
  if (!eat(number, "&#")) return std::nullopt;
  auto const code = integer(number);
  if (!code || *code <= 0 || *code >= 128 || !eat(number, ";")) return std::nullopt;
  rest = number;
  return static_cast<char>(*code);
}

inline void skip_blanks(std::string_view& rest) {
  while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) rest.remove_prefix(1);
}

/// Up to the next line end, which is taken off with it; a carriage return before it is not kept.
inline std::string_view line(std::string_view& rest) {
  auto const end = rest.find('\n');
  std::string_view found = rest.substr(0, end);
  rest.remove_prefix(end == npos ? rest.size() : end + 1);
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

/// The text between `before` and the first of `ends` (or the end of the text); empty if `before` is
/// not there.
inline std::string_view between(std::string_view text, std::string_view before,
                                std::string_view ends) {
  auto const at = text.find(before);
  if (at == npos) return {};
  text.remove_prefix(at + before.size());
  return text.substr(0, text.find_first_of(ends));
}

}  // namespace gridcast::condor::scan
