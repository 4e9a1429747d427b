#include "sim/import/table/sacct_text.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/base/text.hpp"

namespace gridcast::import {
namespace {

constexpr std::size_t nowhere = std::string_view::npos;

bool holds_only(std::string_view cell, std::string_view letters) {
  return cell.find_first_not_of(letters) == nowhere;
}

/// Columns that users fill.
bool is_free_text(std::string_view name) {
  constexpr std::string_view names[] = {"JobName",       "SubmitLine", "Comment", "AdminComment",
                                        "SystemComment", "WorkDir",    "Reason",  "Extra"};
  return std::any_of(std::begin(names), std::end(names),
                     [name](auto each) { return same_ignoring_case(each, name); });
}

/// A row of sacct has its states, codes and dates in their columns.
bool is_row_of_sacct(std::vector<std::string> const& header,
                     std::vector<std::string_view> const& cells) {
  bool has_state = false;
  for (std::size_t i = 0; i < header.size(); ++i) {
    std::string const name = lower(header[i]);
    std::string_view const cell = cells[i];
    bool const dated = name == "submit" || name == "start" || name == "end" || name == "eligible";
    bool const date = holds_only(cell, "0123456789-:T") || cell == "Unknown" || cell == "None";
    if (dated && !date) return false;
    if (name == "exitcode" && !holds_only(cell, "0123456789:")) return false;
    if (name != "state") continue;
    auto const word = cell.substr(0, cell.find_first_of(" +"));
    has_state = !word.empty() && holds_only(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
  }
  return has_state;
}

}  // namespace

std::vector<ListedColumn> columns_below(std::string_view text) {
  std::vector<ListedColumn> columns;
  std::size_t const first = text.find('\n');
  if (first == nowhere) return columns;
  std::string_view line = text.substr(first + 1);
  line = line.substr(0, line.find_first_of("\r\n"));
  if (!holds_only(line, "- ")) return columns;
  for (std::size_t at = line.find('-'); at != nowhere;) {
    std::size_t const end = std::min(line.find(' ', at), line.size());
    columns.push_back({at, end - at});
    at = line.find('-', end);
  }
  if (columns.size() < 2) columns.clear();
  return columns;
}

std::vector<std::string_view> cells_below(std::vector<ListedColumn> const& columns,
                                          std::string_view line) {
  std::vector<std::string_view> cells;
  for (ListedColumn const& column : columns) {
    std::size_t const begin = std::min(column.begin, line.size());
    if (begin > 0 && begin < line.size() && line[begin - 1] != ' ') return {};
    cells.push_back(trim(line.substr(begin, column.size)));
  }
  return cells;
}

void rejoin(std::vector<std::string> const& header, std::string_view row,
            std::vector<std::string_view>& cells) {
  std::size_t const more = cells.size() - header.size();
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (!is_free_text(header[i])) continue;
    std::string_view const last = cells[i + more];
    auto const begin = static_cast<std::size_t>(cells[i].data() - row.data());
    auto const end = static_cast<std::size_t>(last.data() - row.data()) + last.size();
    if (begin > end || end > row.size()) continue;  // a cell with quotes is a copy
    auto joined = cells;
    auto const at = joined.begin() + static_cast<std::ptrdiff_t>(i);
    *at = row.substr(begin, end - begin);
    joined.erase(at + 1, at + 1 + static_cast<std::ptrdiff_t>(more));
    if (!is_row_of_sacct(header, joined)) continue;
    cells = std::move(joined);
    return;
  }
}

}  // namespace gridcast::import
