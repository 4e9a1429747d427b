#include "calibration/estimate.hpp"

#include <utility>

#include "sim/base/error.hpp"

namespace gridcast::calibration {

void DrawTable::add(std::string column, std::vector<double> const& values) {
  if (columns.empty()) rows.resize(values.size());
  check(values.size() == rows.size(), "each column of draws has a value for each row");
  columns.push_back(std::move(column));
  for (std::size_t row = 0; row < rows.size(); ++row) rows[row].push_back(values[row]);
}

}  // namespace gridcast::calibration
