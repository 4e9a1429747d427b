// Words in lines that fit, and tables: a header, a rule, rows; columns as wide as their widest
// cell. On a narrower screen, columns of words are wrapped. If that is not enough, the table is
// split into several blocks, each of which begins with the first column.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
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

struct TextCell {
  std::string text;
  Style style = Style::plain;
  bool drawn = false;  // characters of ours for this screen, not words: never wrapped or replaced

  TextCell(std::string words) : text(std::move(words)) {}  // NOLINT: a cell is mostly its words
  TextCell(char const* words) : text(words) {}             // NOLINT
  TextCell(std::string words, Style in) : text(std::move(words)), style(in) {}
  static TextCell drawing(std::string line, Style in = Style::plain) {
    TextCell cell(std::move(line), in);
    cell.drawn = true;
    return cell;
  }
};

class TextTable {
 public:
  explicit TextTable(std::vector<TextColumn> columns);

  /// One cell for each column.
  void add_row(std::vector<TextCell> cells);
  template <class Strings>
  requires std::same_as<std::remove_cvref_t<Strings>, std::vector<std::string>>
  void add_row(Strings&& words) { add_row(std::vector<TextCell>(words.begin(), words.end())); }
  /// A rule below the last row.
  void add_rule();

  /// The lines, each ended by a newline, `indent` blanks before each, none at a line's end. In full
  /// width.
  std::string str(std::size_t indent = 0) const;
  /// No wider than the screen.
  std::string str(Screen const& screen, std::size_t indent = 0) const;

 private:
  std::vector<TextColumn> columns_;
  std::vector<std::vector<TextCell>> rows_;  // a row without cells is a rule
};

}  // namespace gridcast::report
