// The one reader of tables of separated values, as RFC 4180 defines them: quoted cells may hold
// separators, quotes and line breaks. end_of_csv_row and cut_csv_row read a table row by row, which
// need not fit into memory; parse_csv reads a small one and reports all its problems at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace gridcast::history {

struct CsvCell {
  std::string text;
  int line = 0;
  int column = 0;  // of the cell's first character, in bytes
};

using CsvRow = std::vector<CsvCell>;

/// The row that a text begins with.
struct CsvRowEnd {
  std::size_t size = std::string_view::npos;  // with its line end; npos if that is not loaded
  std::size_t open = std::string_view::npos;  // a quote that nothing closes: the row ends with its
                                              // line
};
/// `whole`: no more text follows.
CsvRowEnd end_of_csv_row(std::string_view text, char separator, bool whole);

/// A cell within its row.
struct CsvPiece {
  std::string_view text;  // without its quotes, and without the apostrophe of csv_cell
  std::size_t begin = 0;  // in the row
  bool quoted = false;
  std::string_view behind;  // text between its closing quote and the separator
};
/// The cell that begins at `begin`; `end` becomes its end.
CsvPiece csv_piece(std::string& row, char separator, std::size_t begin, std::size_t& end);
/// Gives each cell of a row without its line end to `use`. Unescapes quoted cells in place, so the
/// pieces are valid as long as the row.
template <class Use>
void cut_csv_row(std::string& row, char separator, Use use) {
  for (std::size_t end = 0;; ++end) {
    use(csv_piece(row, separator, end, end));
    if (end >= row.size()) return;
  }
}

/// The rows that can be read, empty lines left out. Rows that cannot be read go to `problems` with
/// their places in `file`.
std::vector<CsvRow> parse_csv(std::string_view text, std::string const& file,
                              std::vector<Problem>& problems);

/// The cell in its written form: quoted if it must be, and with an apostrophe before text that a
/// spreadsheet would run as a formula ("=cmd|...", "+1", "@SUM(1)", "-x").
std::string csv_cell(std::string const& plain);

/// With '|' between; one in a name is written '\|'.
std::string joined_names(std::vector<std::string> const& names);

/// Typed readings of cells.
class CellReader {
 public:
  /// Cells of `file`; problems go to `problems`, which must outlive the reader.
  CellReader(std::string file, std::vector<Problem>& problems)
      : file_(std::move(file)), problems_(problems) {}

  void report(CsvCell const& cell, std::string what, std::string why = "", std::string hint = "");

  /// A whole number in [0, most].
  std::int64_t count(CsvCell const& cell, std::string_view column, std::int64_t most);
  /// Seconds, not negative; none if the cell is empty.
  std::optional<Seconds> time(CsvCell const& cell, std::string_view column);
  /// The same, several with '|' between.
  std::vector<Seconds> times(CsvCell const& cell, std::string_view column);
  /// Names as joined_names() writes them; none if the cell is empty.
  std::vector<std::string> names(CsvCell const& cell, std::string_view column);
  /// Index into `known`; none, and a suggestion, if it is not there. `what`: as "outcome".
  std::optional<std::size_t> one_of(CsvCell const& cell, std::string_view what,
                                    std::span<std::string_view const> known);

 private:
  std::optional<Seconds> parse_time(CsvCell const& cell, std::string_view text,
                                    std::string_view column);

  std::string file_;
  std::vector<Problem>& problems_;
};

}  // namespace gridcast::history
