// Rows of a table's draws beside rows of a log's (common_cause.hpp pairs them), and the fit that is
// made of them, column by column.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "calibration/both/common_cause.hpp"
#include "calibration/fits/estimate.hpp"

namespace gridcast::calibration {

/// "PARAMETER.SITE".
std::string column_at(std::string_view parameter, std::string const& site);
/// Null if there is none.
Estimate const* line_of(Fit const& fit, std::string const& name);
/// Not where it has its prior alone.
bool tells(Fit const& fit, std::string const& name);

class PairedDraws {
 public:
  /// `before_next`: the log's draws before the next campaign's differences were put in.
  PairedDraws(Fit const& of_table, Fit const& of_log, DrawTable const& before_next,
              std::vector<RowPair> paired)
      : table(of_table), log(of_log), recorded(before_next), pairs(std::move(paired)) {}

  /// A column of either record, in the order of the pairs; empty if there is none.
  std::vector<double> table_column(std::string const& name) const;
  std::vector<double> log_column(std::string const& name) const;
  std::vector<double> recorded_column(std::string const& name) const;

  /// Of the fit that is made.
  bool has(std::string const& name) const;
  std::vector<double> column(std::string const& name) const { return fit.draws.column(name); }
  /// Adds the column, or replaces it.
  void set(std::string const& name, std::vector<double> const& values);
  /// Adds the line, or replaces the one of that name. `record`: as Estimate has it.
  void add_line(Estimate line, char const* record);
  /// The table's column and line, under the name that they have or another, unless there is one.
  void add_table(std::string const& name);
  void add_table_as(std::string const& name, std::string const& in_table);
  /// The table's instead of what there is.
  void take_table(std::string const& name, std::string const& in_table);

  Fit const& table;
  Fit const& log;
  DrawTable const& recorded;
  std::vector<RowPair> const pairs;
  Fit fit;
};

}  // namespace gridcast::calibration
