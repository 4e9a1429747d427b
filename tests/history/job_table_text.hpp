// A table of jobs as the text that its reader takes.
#pragma once

#include <algorithm>
#include <string>

#include "sim/history/job_table.hpp"

namespace gridcast::history {

inline std::string to_csv(JobTable const& table) {
  bool const users = std::any_of(table.rows.begin(), table.rows.end(),
                                 [](JobRow const& row) { return !row.user.empty(); });
  std::string text = job_table_header(users);
  for (auto const& row : table.rows) add_csv_row(text, row, users);
  return text;
}

}  // namespace gridcast::history
