// The screen for results, and text on it: its width, and characters that must not reach it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gridcast::report {

enum class Charset { ascii, utf8 };

/// How wide it is, which characters it has, and the command that the user typed to fill it.
struct Screen {
  Charset charset = Charset::ascii;
  std::size_t width = 80;
  std::string_view command = {};  // empty: no command
};

/// Narrower and wider screens are taken for these: below, nothing fits; beyond, eyes lose the line.
inline constexpr std::size_t least_width = 60;
inline constexpr std::size_t most_width = 200;

/// For lines without an end: documents, and texts that a caller cuts itself.
constexpr Screen endless_screen() { return {Charset::utf8, static_cast<std::size_t>(-1) / 2}; }

/// A character of UTF-8 text, or a byte that is none.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool good = false;
};
Character character_at(std::string_view text, std::size_t at);

/// Columns that UTF-8 text takes: two for East Asian wide characters and pictures, none for marks
/// that sit on the character before (Unicode TR 11, UnicodeData's Mn by blocks).
std::size_t text_width(std::string_view text);

/// How many bytes of the text fit into so many columns; at least one character's.
std::size_t bytes_within(std::string_view text, std::size_t columns);

/// Well-formed UTF-8 (Unicode 15, table 3-7).
bool is_utf8(std::string_view text);

/// Text that can be shown: names come out of logs, with any content. Control characters, direction
/// marks and bytes that are no UTF-8 become '?'; with ASCII only, a character with a likeness
/// becomes that ("±" "+-", "…" "..."), and all else '?'.
std::string printable(std::string_view text, Charset charset);

}  // namespace gridcast::report
