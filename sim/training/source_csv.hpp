// The tables of calibration/data/training as numbers by column.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gridcast::training {

struct NumberRow {
  std::map<std::string, std::string> cells;
  /// NaN for an empty cell.
  double number(std::string const& column) const;
  std::string const& text(std::string const& column) const;
};

/// InputError if it cannot be read.
std::vector<NumberRow> read_number_rows(std::filesystem::path const& file);

}  // namespace gridcast::training
