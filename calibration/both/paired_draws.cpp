#include "calibration/both/paired_draws.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace gridcast::calibration {

namespace {

std::vector<double> in_pairs(DrawTable const& draws, std::string const& name,
                             std::vector<RowPair> const& pairs, std::size_t RowPair::*row) {
  auto const column = draws.column(name);
  std::vector<double> values;
  if (column.empty()) return values;
  for (RowPair const& pair : pairs) values.push_back(column[pair.*row]);
  return values;
}

}  // namespace

std::string column_at(std::string_view parameter, std::string const& site) {
  return fmt::format("{}.{}", parameter, site);
}

Estimate const* line_of(Fit const& fit, std::string const& name) {
  auto const found = std::find_if(fit.estimates.begin(), fit.estimates.end(),
                                  [&](Estimate const& line) { return line.name == name; });
  return found == fit.estimates.end() ? nullptr : &*found;
}

bool tells(Fit const& fit, std::string const& name) {
  Estimate const* const line = line_of(fit, name);
  return line != nullptr && line->origin != Origin::by_default;
}

std::vector<double> PairedDraws::table_column(std::string const& name) const {
  return in_pairs(table.draws, name, pairs, &RowPair::table);
}

std::vector<double> PairedDraws::log_column(std::string const& name) const {
  return in_pairs(log.draws, name, pairs, &RowPair::log);
}

std::vector<double> PairedDraws::recorded_column(std::string const& name) const {
  return in_pairs(recorded, name, pairs, &RowPair::log);
}

bool PairedDraws::has(std::string const& name) const {
  auto const& columns = fit.draws.columns;
  return std::find(columns.begin(), columns.end(), name) != columns.end();
}

void PairedDraws::set(std::string const& name, std::vector<double> const& values) {
  auto const& columns = fit.draws.columns;
  auto const found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) return fit.draws.add(name, values);
  auto const c = static_cast<std::size_t>(found - columns.begin());
  for (std::size_t i = 0; i < values.size(); ++i) fit.draws.rows[i][c] = values[i];
}

void PairedDraws::add_line(Estimate line, char const* record) {
  line.record = record;
  auto const found = std::find_if(fit.estimates.begin(), fit.estimates.end(),
                                  [&](Estimate const& each) { return each.name == line.name; });
  if (found != fit.estimates.end()) {
    *found = std::move(line);
  } else {
    fit.estimates.push_back(std::move(line));
  }
}

void PairedDraws::add_table(std::string const& name) { add_table_as(name, name); }

void PairedDraws::add_table_as(std::string const& name, std::string const& in_table) {
  if (!has(name)) take_table(name, in_table);
}

void PairedDraws::take_table(std::string const& name, std::string const& in_table) {
  auto const values = table_column(in_table);
  if (values.empty()) return;
  set(name, values);
  Estimate const* const line = line_of(table, in_table);
  if (line == nullptr) return;
  Estimate renamed = *line;
  renamed.name = name;
  add_line(renamed, "table");
}

}  // namespace gridcast::calibration
