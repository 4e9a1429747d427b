// The columns of a table without a map that have usual names, such as "Job ID" or "submit_time",
// and the text of a map with them, which its owner completes.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/import/table/column_map.hpp"
#include "sim/import/table/table_text.hpp"

namespace gridcast::import {

inline constexpr char const* sacct_hint =
    "Write: sacct -D -P "
    "--format=JobID,JobName,User,Cluster,Partition,Submit,Start,End,State,"
    "ExitCode,NodeList,AllocTRES; then add --columns sacct.";

/// True if a header has numbers or times, which are no names of columns.
bool holds_values(std::vector<std::string> const& header);

/// The problem of a first row that names no columns: a binary file, or values.
std::optional<Problem> no_header(std::string const& file, std::vector<std::string> const& header);

/// The cells of a table's column.
struct ColumnCells {
  std::set<std::string> words = {};  // the first different ones
  std::size_t seen = 0, times = 0;   // of the first that are not empty
  std::size_t dates = 0;             // times that are no small numbers
};
/// Cells of each column of the table, which is at its first row, in its first rows.
std::vector<ColumnCells> cells_of(TableText& table,
                                  std::size_t rows = std::numeric_limits<std::size_t>::max());
/// The columns of a header with usual names. Columns in `without_times` are no times, and only
/// those in `with_reasons` are reasons.
ColumnMap recognised_columns(std::vector<std::string> const& header,
                             std::set<std::string> const& without_times = {},
                             std::set<std::string> const& with_reasons = {});
/// The same by their cells too, with the form of dates that needs to be stated.
ColumnMap recognised_in(std::vector<std::string> const& header,
                        std::vector<ColumnCells> const& columns);

/// The problem of a JSON file in which nothing dates or ends a job: a dashboard, the description of
/// a package.
std::optional<Problem> no_record(std::string const& file, TableText const& table,
                                 std::vector<ColumnCells> const& columns, ColumnMap const& map);

/// The map as a file. `words` are those of its outcome column; shipped maps know some, and HTCondor
/// has numbers for its own. Missing columns and unknown words become comments that the owner
/// completes.
std::string column_map_yaml(ColumnMap const& map, std::vector<std::string> const& header,
                            std::vector<std::string> const& words);

}  // namespace gridcast::import
