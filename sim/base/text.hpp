// Small text tools: splitting, trimming, quoting; names whose case does not matter, as ClassAd
// attributes and submit commands: ASCII letters only, in any locale; and "Did you mean ...?" by
// edit distance (insert, delete, replace, swap of neighbours: Damerau-Levenshtein, optimal string
// alignment).
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "sim/base/lists.hpp"

namespace gridcast::inline base {

// A text that is a number and nothing else, in any locale.

/// The number that the whole text is; none if it is anything else or out of range. "inf" and "nan"
/// are numbers of floating-point types.
template <class Number>
std::optional<Number> text_as(std::string_view text) {
  Number value{};
  char const* const end = text.data() + text.size();
  auto const [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

/// The pieces between separators, empty ones too: one more than there are separators.
std::vector<std::string> split(std::string_view text, char separator);
/// The first of the characters `ends` outside of brackets and quotes, from `at` on; the end of the
/// text if there is none.
std::size_t end_of_part(std::string_view text, std::string_view ends, std::size_t at = 0);
/// Without the blanks, tabs and line ends at both ends.
std::string_view trim(std::string_view text);
/// "1 row", "3 rows".
std::string counted(std::integral auto n, std::string_view noun) {
  return std::to_string(n).append(" ").append(noun).append(n == 1 ? "" : "s");
}
/// In single quotes, as sh, bash and zsh read it.
std::string quoted_for_shell(std::string_view text);

/// One line of UTF-8 that a terminal shows and does not obey: control characters, bytes that are no
/// UTF-8 and marks that turn the direction of writing are spelled out, "\x1b", "\n", "\u202e".
std::string printable(std::string_view text);
/// The same of several lines, whose ends stay.
std::string printable_lines(std::string_view text);

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

char lower(char letter);
std::string lower(std::string_view text);
std::string upper(std::string_view text);

/// Less than, equal to or greater than zero, as strcasecmp.
int compare_ignoring_case(std::string_view a, std::string_view b);
bool same_ignoring_case(std::string_view a, std::string_view b);

/// Order of a map by such names.
struct LessIgnoringCase {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const {
    return compare_ignoring_case(a, b) < 0;
  }
};

inline bool is_one_of(std::string_view word, std::vector<std::string> const& words) {
  return contains(words, word);
}

/// The candidate that `word` (case ignored) most likely stands for: one that begins with it as a
/// whole word ("A100" of "A100-80GB"), the nearest if it is near enough to be a slip (at most a
/// third of its letters, at least one), or one that has it within ("bert" of "dlio-bert"). Empty if
/// none.
std::string closest(std::string_view word, std::vector<std::string> const& candidates);

/// "A100" of "A100-80GB" (case ignored), but not "A10".
bool is_first_word(std::string_view word, std::string_view name);

/// "Did you mean 'x'?" or, where nothing is near, "Known: a, b, c."
std::string suggestion(std::string_view word, std::vector<std::string> const& candidates);

}  // namespace gridcast::inline base
