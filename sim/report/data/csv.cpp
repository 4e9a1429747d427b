#include "sim/report/data/csv.hpp"

#include <cmath>

#include <fmt/format.h>

namespace gridcast::report {

std::string csv_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

std::string csv_line(std::vector<std::string> const& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    line += csv_cell(cells[i]);
  }
  return line + '\n';
}

}  // namespace gridcast::report
