// One row of a table into one attempt: cells by the column map, times in order, unusable values
// reported with their place.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/import/table/attempt_table.hpp"
#include "sim/import/table/table_text.hpp"
#include "sim/import/table/table_times.hpp"

namespace gridcast::import {

/// Names to their places in a list.
class Names {
 public:
  /// Those that are in the list already count.
  explicit Names(std::vector<std::string>& names);
  std::uint32_t operator()(std::string_view name);

 private:
  std::vector<std::string>& names_;
  std::unordered_map<std::string, std::uint32_t> index_;
  std::uint32_t last_ = 0;  // most rows repeat the value of the row before
};

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

class RowReader {
 public:
  RowReader(ColumnMap const& map, std::vector<std::string> const& header, TableSource source,
            RowsInto into);
  ~RowReader();

  void read(TableRow const& cells);

 private:
  class Cells;
  std::unique_ptr<Cells> cells_;
};

}  // namespace gridcast::import
