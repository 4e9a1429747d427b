// Rows of a table's draws beside rows of a log's (common_cause.hpp pairs them), and the fit that is
// made of them, column by column.
//
// Sites that one of two records knows, for the program of the other. What a job of the one program
// takes there follows from what one of the other takes, by the ratio to a site that both know, with
// a standard deviation of 0.6 of its logarithm: four tastes of programs for GPU models, of 0.3 each
// (docs/calibration.md, "GPUs, programs and limits"). What else the record does not tell of the
// site is that of a site that both know, another one in each row.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "calibration/both/common_cause.hpp"
#include "calibration/fits/estimate.hpp"
#include "sim/base/random.hpp"

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

  /// These read and write the resulting fit.
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

/// Columns of the table's program at a site.
inline constexpr std::array columns_of_program = {"unpack_s", "epoch_family", "epoch_shape",
                                                  "epoch_scale_s", "epoch_shift_s"};

/// A site that only the table knows: its own columns, and the log's of a site of `shared`.
void add_site_of_table(PairedDraws& draws, std::string const& site,
                       std::vector<std::string> const& shared, RandomStreams const& streams);

/// The table's program at a site that only the log knows.
void add_program_at(PairedDraws& draws, std::string const& site,
                    std::vector<std::string> const& shared, RandomStreams const& streams);

}  // namespace gridcast::calibration
