// Two ways in which the text of sacct is no table with separators: a listing for people, in which a
// line of dashes below the names shows how wide each column is, and rows of --parsable with bars in
// a job's name or the command of its submission, which have no quotes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gridcast::import {

/// Where a column's cells are in each line.
struct ListedColumn {
  std::size_t begin = 0, size = 0;
};

/// The columns of a listing; none if the second line is not of dashes.
std::vector<ListedColumn> columns_below(std::string_view text);

/// The cells of a line; none at all if one is not below its column's name.
std::vector<std::string_view> cells_below(std::vector<ListedColumn> const& columns,
                                          std::string_view line);

/// Puts the cell together again that has separators in it, if one place makes a row of sacct's. The
/// cells are parts of `row`, in order, and more than the header's.
void rejoin(std::vector<std::string> const& header, std::string_view row,
            std::vector<std::string_view>& cells);

}  // namespace gridcast::import
