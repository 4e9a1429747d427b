// Comma-separated values as RFC 4180 has them: quoted cells may hold commas, quotes and line
// breaks. What cannot be read is reported with its place, and a value that does no harm is
// returned, so that all problems of a file come out at once.
#pragma once

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

/// The rows that can be read, empty lines left out; what cannot goes to `problems` with its place
/// in `file`. An apostrophe that csv_cell put before a formula is taken away again.
std::vector<CsvRow> parse_csv(std::string_view text, std::string const& file,
                              std::vector<Problem>& problems);

/// The cell as it is written: quoted if it must be, and with an apostrophe before what a
/// spreadsheet would run as a formula ("=cmd|...", "+1", "@SUM(1)", "-x").
std::string csv_cell(std::string const& plain);

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
  /// Names with '|' between; none if the cell is empty.
  std::vector<std::string> names(CsvCell const& cell, std::string_view column);
  /// Index into `known`; none, and a suggestion, if it is not there. `what` it is: "outcome".
  std::optional<std::size_t> one_of(CsvCell const& cell, std::string_view what,
                                    std::span<std::string_view const> known);

 private:
  std::optional<Seconds> parse_time(CsvCell const& cell, std::string_view text,
                                    std::string_view column);

  std::string file_;
  std::vector<Problem>& problems_;
};

}  // namespace gridcast::history
