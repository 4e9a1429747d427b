// Words in lines that fit, and tables: a header, a rule, rows; columns as wide as their widest
// cell. On a narrower screen, columns of words are wrapped. If that is not enough, the table is
// split into several blocks, each of which begins with the first column.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/report/text/characters.hpp"

namespace gridcast::report {

/// The first and last columns of the lines of a paragraph.
struct Margins {
  std::size_t width = 80;   // no line is longer; a word that alone is, is cut
  std::size_t indent = 0;   // of every line but the first
  std::size_t started = 0;  // columns of the first line that are taken already
};

/// The words of `text` (line ends count as blanks) in lines, each ended by a newline. The first
/// line has no indentation: the caller has begun it.
std::string paragraph(std::string_view text, Margins margins);

/// Lines of prose that a screen can show: each printable (characters.hpp), and one that is too long
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
