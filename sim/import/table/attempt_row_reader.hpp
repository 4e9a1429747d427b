// One row of a table into one attempt: cells by the column map, times in order, unusable values
// reported with their place.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/lists.hpp"
#include "sim/import/table/attempt_table.hpp"
#include "sim/import/table/table_text.hpp"
#include "sim/import/table/table_times.hpp"

namespace gridcast::import {

/// Shared data of the rows of several tables.
struct RowsInto {
  AttemptTable& table;
  TableClock& clock;
  Names& names;
  Names& jobs;
};

/// The source of a table.
struct TableSource {
  std::string file;  // as problems name it
  std::uint32_t number = 0;
};

/// Reads all rows of the table that are left.
void read_rows(TableText& text, ColumnMap const& map, TableSource source, RowsInto into);

}  // namespace gridcast::import
