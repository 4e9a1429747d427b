// A table for the terminal: a header, a rule, rows; columns as wide as their widest cell.
// Widths count characters, not bytes (UTF-8), so that "±" and "µ" do not push a column aside.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gridcast {

enum class Align { left, right };

struct TextColumn {
  std::string title;
  Align align = Align::left;
};

class TextTable {
 public:
  explicit TextTable(std::vector<TextColumn> columns);

  /// As many cells as there are columns.
  void add_row(std::vector<std::string> cells);
  /// A rule below the last row.
  void add_rule();

  /// The lines, each ended by a newline, `indent` blanks before each, none at a line's end.
  std::string str(std::size_t indent = 0) const;

 private:
  std::vector<TextColumn> columns_;
  std::vector<std::vector<std::string>> rows_;  // a row without cells is a rule
};

/// Number of characters of UTF-8 text: bytes that do not continue a character.
std::size_t text_width(std::string_view text);

}  // namespace gridcast
