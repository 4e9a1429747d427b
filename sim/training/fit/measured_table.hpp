// Tables of measurements as people bring them: CSV with named columns, in any order, each row read as
// what it has to be; all that is wrong is told at once, with its place.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/history/csv.hpp"

namespace gridcast::training {

/// Cells of one row by column.
class MeasuredRow {
 public:
  MeasuredRow(std::string const& file, history::CsvRow const& cells,
              std::map<std::string, std::size_t> const& columns, std::vector<Problem>& problems)
      : file_(file), cells_(cells), columns_(columns), problems_(problems) {}

  /// Empty where there is no such column, or nothing in it.
  std::string text(std::string const& column) const;
  /// Above zero, or not below where `or_zero`; none where the cell is empty or bad, which is
  /// complained of.
  enum class Least { above_zero, zero };
  std::optional<double> number(std::string const& column, Least least = Least::above_zero);
  std::optional<int> count(std::string const& column, int most);
  /// At the column's cell, or at the row's first where there is none.
  void complain(std::string const& column, std::string what, std::string why, std::string hint);

  bool bad() const { return bad_; }
  int line() const { return cells_.front().line; }

 private:
  std::string const& file_;
  history::CsvRow const& cells_;
  std::map<std::string, std::size_t> const& columns_;
  std::vector<Problem>& problems_;
  bool bad_ = false;
};

/// The rows of a table below its line of names.
class MeasuredTable {
 public:
  /// InputError where there is no table, or `wanted` is not one of its columns. `hint` says what
  /// columns are wanted.
  MeasuredTable(std::string file, std::string const& text, std::string const& wanted,
                std::string const& hint);

  std::vector<MeasuredRow> rows();
  std::vector<Problem>& problems() { return problems_; }
  /// InputError with all problems, if there are any, or if no row was good.
  void raise(std::size_t good) const;
  /// What to tell of columns that are not among these; empty: nothing.
  std::string note_on_others(std::vector<std::string> const& known) const;

 private:
  void check_width(history::CsvRow const& row);

  std::string file_;
  std::vector<Problem> problems_;
  std::vector<history::CsvRow> cells_;
  std::map<std::string, std::size_t> columns_;
};

/// The columns of a table's first line.
std::vector<std::string> column_names(std::string const& text);

}  // namespace gridcast::training
