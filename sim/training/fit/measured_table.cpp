#include "sim/training/fit/measured_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/base/units.hpp"

namespace gridcast::training {
namespace {

/// However it is capitalised.
std::string column_name(history::CsvCell const& cell) { return lower(trim(cell.text)); }

bool counts_seconds(std::string_view column) {
  return column.ends_with("_s") && !column.ends_with("_per_s");
}

}  // namespace

std::string MeasuredRow::text(std::string const& column) const {
  auto const found = columns_.find(column);
  if (found == columns_.end() || found->second >= cells_.size()) return "";
  return std::string(trim(cells_[found->second].text));
}

std::optional<double> MeasuredRow::number(std::string const& column, Least least) {
  std::string const cell = text(column);
  if (cell.empty()) return std::nullopt;
  double value = 0;
  auto const [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  bool const is_number =
      error == std::errc() && end == cell.data() + cell.size() && std::isfinite(value);
  bool const is_time = counts_seconds(column);
  auto const time = is_time && !is_number ? parse_seconds(cell) : std::nullopt;
  if (time) value = time->value();
  bool const is_enough = value > 0 || (least == Least::zero && value == 0);
  if ((is_number || time) && is_enough) return value;
  complain(column, fmt::format("{}: '{}'", column, cell), "a number above 0 is wanted",
           is_time ? "Seconds, or a time with its unit: '5.2 ms'." : "");
  return std::nullopt;
}

std::optional<int> MeasuredRow::count(std::string const& column, int most) {
  std::optional<double> const value = number(column);
  if (!value) return std::nullopt;
  if (*value == std::floor(*value) && *value <= most) return static_cast<int>(*value);
  complain(column, fmt::format("{}: {}", column, text(column)),
           fmt::format("a whole number from 1 to {} is wanted", most), "");
  return std::nullopt;
}

void MeasuredRow::complain(std::string const& column, std::string what, std::string why,
                           std::string hint) {
  auto const found = columns_.find(column);
  bad_ = true;
  // A column that is not there is wanted by every row.
  if (found == columns_.end() && !problems_.empty() && problems_.back().what == what) return;
  bool const there = found != columns_.end() && found->second < cells_.size();
  history::CsvCell const& cell = there ? cells_[found->second] : cells_.front();
  problems_.push_back(
      {{file_, cell.line, cell.column}, std::move(what), std::move(why), std::move(hint)});
}

MeasuredTable::MeasuredTable(std::string file, std::string const& text, std::string const& wanted,
                             std::string const& hint)
    : file_(std::move(file)) {
  cells_ = history::parse_csv(text, file_, problems_);
  if (cells_.empty()) {
    problems_.push_back({{file_}, "no rows", "a table of measurements is wanted", hint});
    throw InputError(problems_);
  }
  std::vector<std::string> names;
  for (std::size_t k = 0; k < cells_.front().size(); ++k) {
    names.push_back(column_name(cells_.front()[k]));
    if (columns_.emplace(names.back(), k).second) continue;
    problems_.push_back({{file_, cells_.front()[k].line, cells_.front()[k].column},
                         fmt::format("column '{}' is there twice", names.back()),
                         "",
                         "Remove one."});
  }
  if (columns_.contains(wanted)) return;
  bool const one = names.size() == 1 && names.front().find_first_of(";\t") != std::string::npos;
  problems_.push_back({{file_, 1, 1},
                       fmt::format("no column '{}'", wanted),
                       fmt::format("its columns are {}", fmt::join(names, ", ")),
                       one ? "Columns are separated by commas." : hint});
  throw InputError(problems_);
}

void MeasuredTable::check_width(history::CsvRow const& row) {
  auto const named = cells_.front().size();
  if (row.size() <= named || trim(row[named].text).empty()) return;
  problems_.push_back({{file_, row[named].line, row[named].column},
                       fmt::format("{} cells under {} columns", row.size(), named),
                       "which is which?",
                       "Write numbers without commas in them: 1281167, 0.5."});
}

std::vector<MeasuredRow> MeasuredTable::rows() {
  std::vector<MeasuredRow> rows;
  for (std::size_t i = 1; i < cells_.size(); ++i) {
    check_width(cells_[i]);
    rows.emplace_back(file_, cells_[i], columns_, problems_);
  }
  return rows;
}

void MeasuredTable::raise(std::size_t good) const {
  if (!problems_.empty()) throw InputError(problems_);
  if (good == 0) throw InputError(Problem{{file_}, "no runs in it", "only a line of names", ""});
}

std::string MeasuredTable::note_on_others(std::vector<std::string> const& known) const {
  std::vector<std::string> others;
  for (auto const& cell : cells_.front()) {
    std::string const name = column_name(cell);
    if (std::find(known.begin(), known.end(), name) == known.end()) others.push_back(name);
  }
  if (others.empty()) return "";
  return fmt::format("{}: not read: {}", file_, fmt::join(others, ", "));
}

std::vector<std::string> column_names(std::string const& text) {
  std::vector<Problem> ignored;
  std::vector<std::string> names;
  auto const rows = history::parse_csv(text.substr(0, text.find('\n')), "", ignored);
  if (rows.empty()) return names;
  for (auto const& cell : rows.front()) names.push_back(column_name(cell));
  return names;
}

}  // namespace gridcast::training
