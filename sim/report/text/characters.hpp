// The screen for results, and text on it: its width, characters that must not reach it, and
// drawings of characters: bars and curves; and colour.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gridcast::report {

enum class Charset { ascii, utf8 };

/// How wide it is, which characters it has, and whether it has colour.
struct Screen {
  Charset charset = Charset::ascii;
  std::size_t width = 80;
  bool colour = false;
};

/// Narrower and wider screens are taken for these: below, nothing fits; beyond, eyes lose the line.
inline constexpr std::size_t least_width = 60;
inline constexpr std::size_t most_width = 200;

/// For lines without an end: documents, and texts that a caller cuts itself.
constexpr Screen endless_screen() {
  return {Charset::utf8, static_cast<std::size_t>(-1) / 2, false};
}

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

enum class Style { plain, strong, faint, good, bad };

/// In the style's colour (ECMA-48 "select graphic rendition"), if the screen has colours.
std::string painted(std::string_view text, Style style, Screen const& screen);

/// A share of so many cells, to an eighth of one: "█████▋"; "#####" in ASCII. Any share above zero
/// shows, even the smallest ("." in ASCII).
std::string bar(double share, std::size_t cells, Charset charset);

inline constexpr std::size_t most_curve = 100;

/// `times`: when jobs succeeded, in seconds; `jobs`: how many there are; `end`: when the last job
/// had ended. Nine lines: eight of plot, an axis in hours or days;
/// as wide as the screen, but no wider than most_curve.
std::string finish_curve(std::vector<double> times, std::size_t jobs, double end,
                         Screen const& screen);

}  // namespace gridcast::report
