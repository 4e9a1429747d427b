// Words in lines that fit, and tables: a header, a rule, rows; columns as wide as their widest
// cell. On a narrower screen, columns of words are wrapped. If that is not enough, the table is
// split into several blocks, each of which begins with the first column.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gridcast::report {

// The screen for results, and text on it: its width, and characters that must not reach it.
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

/// The first and last columns of the lines of a paragraph.
struct Margins {
  std::size_t width = 80;   // no line is longer; a word that alone is, is cut, but no URL
  std::size_t indent = 0;   // of every line but the first
  std::size_t started = 0;  // columns of the first line that are taken already
};

/// The words of `text` (line ends count as blanks) in lines, each ended by a newline. The first
/// line has no indentation: the caller has begun it.
std::string paragraph(std::string_view text, Margins margins);

/// Lines of prose that a screen can show: each printable (layout.hpp), and one that is too long
/// goes on in the next, two columns further in than it began.
std::string fitted(std::string_view lines, Screen const& screen);

/// A command in lines that fit, broken between its words as a shell reads it, each line after the
/// first indented by four more than the first; ends with a newline.
std::string command_lines(std::string_view command, std::size_t width, std::size_t indent);

enum class Align { left, right };

struct TextColumn {
  std::string title;
  Align align = Align::left;
};

class TextTable {
 public:
  explicit TextTable(std::vector<TextColumn> columns);
  /// Their titles with '|' between them, '>' before those of right-aligned ones: "site|>jobs".
  explicit TextTable(std::string const& titles);

  /// One cell for each column.
  void add_row(std::vector<std::string> cells);
  /// A rule below the last row.
  void add_rule();

  /// The lines, no wider than the screen, each ended by a newline. `indent` blanks are before each,
  /// none at a line's end.
  std::string str(Screen const& screen, std::size_t indent = 0) const;

 private:
  std::vector<TextColumn> columns_;
  std::vector<std::vector<std::string>> rows_;  // a row without cells is a rule
};

}  // namespace gridcast::report
