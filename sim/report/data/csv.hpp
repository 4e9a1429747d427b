// CSV (RFC 4180) for other tools. Numbers have all digits; a value that is not available is empty.
// A table lists its columns once, for the header, the cells and the dictionary. A study's result
// has several tables (docs/formats.md).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/history/csv.hpp"

namespace gridcast::report {

struct Result;

/// A file of a report.
struct NamedText {
  std::string name;
  std::string text;
};

using history::csv_cell;
/// The shortest text that reads back as the same number; empty for NaN, "inf" for "never".
std::string csv_number(double value);
/// The cells with commas and a line end, quoted if necessary.
std::string csv_line(std::vector<std::string> const& cells);

template <class Row>
struct CsvColumn {
  std::string name;
  std::string_view unit;  // "s", "B", "1" of counts and shares; empty: text
  std::string meaning;
  std::function<std::string(Row const&)> cell;
};

template <class Row>
struct CsvTable {
  std::string name;  // without ".csv"
  std::vector<CsvColumn<Row>> columns;

  std::string header() const {
    std::vector<std::string> cells;
    for (auto const& column : columns) cells.push_back(column.name);
    return csv_line(cells);
  }
  std::string line(Row const& row) const {
    std::vector<std::string> cells;
    for (auto const& column : columns) cells.push_back(column.cell(row));
    return csv_line(cells);
  }
  /// table, column, unit, meaning.
  std::string dictionary() const {
    std::string all;
    for (auto const& column : columns) {
      all += csv_line({name, column.name, std::string(column.unit), column.meaning});
    }
    return all;
  }
};

inline std::string csv_cell(Seconds time) { return csv_number(time.value()); }
inline std::string csv_cell(std::optional<Seconds> time) {
  return time ? csv_cell(*time) : std::string();
}
inline std::string csv_cell(Bytes size) { return csv_number(size.value()); }
inline std::string csv_cell(std::size_t count) { return std::to_string(count); }

/// metrics.csv and replicas.csv; for a comparison also differences.csv and probability_best.csv;
/// with a record also against.csv and executions.csv. It needs the replicas, which a result read
/// from JSON does not have.
std::vector<NamedText> result_csv(Result const& result);

}  // namespace gridcast::report
