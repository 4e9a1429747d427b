// Columns of a calibration's draws that `--set calibration.NAME=VALUE` gives one value in all rows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/scenario/column_table.hpp"
#include "sim/scenario/override.hpp"

namespace gridcast::scenario {

struct FixedColumn {
  std::size_t column = 0;
  double value = 0;
};

/// `names` are the columns of the calibration, complete and of that set. Unknown names and values
/// that the column cannot have go to `problems`, at the option.
std::vector<FixedColumn> fixed_columns(std::vector<Override> const& overrides,
                                       std::vector<std::string> const& names, ColumnSet set,
                                       std::vector<Problem>& problems);

}  // namespace gridcast::scenario
