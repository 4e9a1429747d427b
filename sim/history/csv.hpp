// Comma-separated values as RFC 4180 has them: quoted cells may hold commas, quotes and line
// breaks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"

namespace gridcast::history {

struct CsvCell {
  std::string text;
  int line = 0;
  int column = 0;  // of the cell's first character, in bytes
};

using CsvRow = std::vector<CsvCell>;

/// The rows that can be read, empty lines left out; what cannot goes to `problems` with its place
/// in `file`.
std::vector<CsvRow> parse_csv(std::string_view text, std::string const& file,
                              std::vector<Problem>& problems);

}  // namespace gridcast::history
