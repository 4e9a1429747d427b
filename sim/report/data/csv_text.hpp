// Lines of CSV (RFC 4180) for others' tools: numbers in full, what is not available left empty.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/history/csv.hpp"

namespace gridcast::report {

/// A file that a report consists of.
struct NamedText {
  std::string name;
  std::string text;
};

using history::csv_cell;
/// The shortest text that reads back as the same number; empty for NaN.
std::string csv_number(double value);
/// The cells with commas between and a line end; quoted where they must be.
std::string csv_line(std::vector<std::string> const& cells);

}  // namespace gridcast::report
