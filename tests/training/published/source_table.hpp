// Each row of each table on training in the source documents, beside the model's value. The page
// docs/sources.md contains the summary; `test_training '[sources]'` prints it and all rows.
#pragma once

#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/profile.hpp"
#include "sim/training/fit/run_rows.hpp"

namespace gridcast::training::published {

struct NumberRow {
  std::map<std::string, std::string> cells;
  /// NaN for an empty cell.
  double number(std::string const& column) const;
  std::string const& text(std::string const& column) const;
};

/// InputError if it cannot be read.
std::vector<NumberRow> read_number_rows(std::filesystem::path const& file);

struct SourceRow {
  std::string what;      // "8 GPUs"
  std::string quantity;  // "wall time"
  std::string unit;      // "s", "%", "GB", ...
  double source = 0;     // or not_published
  double model = 0;
  double tolerance = 0;   // 0: none is asked for
  bool relative = false;  // the tolerance is a share of the source's value
  std::string note;

  double difference() const { return relative ? model / source - 1 : model - source; }
  /// Whether the model is as near as it has to be; true where nothing is asked for.
  bool agrees() const;
};

struct SourceTable {
  std::string title;
  std::string before;  // a paragraph
  std::vector<SourceRow> rows;
  std::string after;  // a paragraph, may be empty
  std::string source_title = "source";
  std::string model_title = "model";
};

/// Where the data and the profiles are.
struct SourceFiles {
  std::filesystem::path data;      // calibration/data
  std::filesystem::path profiles;  // scenarios/profiles

  /// A table of data/training.
  std::vector<NumberRow> rows(std::string const& name) const;
  scenario::Hardware hardware() const;
  scenario::Profile profile(std::string const& name) const;
};

/// The source has no such value.
inline constexpr double not_published = std::numeric_limits<double>::quiet_NaN();

/// The rows of Kempner's table as runs of one family.
std::vector<RunRow> kempner_rows(SourceFiles const& files);

SourceTable kempner_table(SourceFiles const& files);
SourceTable kempner_outlook_table(SourceFiles const& files);  // forms and the 128-GPU row
SourceTable hpml_table(SourceFiles const& files);
SourceTable hpml_batches_table(SourceFiles const& files);
SourceTable darshan_table(SourceFiles const& files);
SourceTable what_if_table(SourceFiles const& files);
SourceTable dlio_table(SourceFiles const& files);
SourceTable osg_table(SourceFiles const& files);
SourceTable osg_executions_table(SourceFiles const& files);
SourceTable streaming_table(SourceFiles const& files);
SourceTable systems_left_out_table(SourceFiles const& files);  // each in turn
SourceTable sizes_left_out_table(SourceFiles const& files);    // of all systems
SourceTable storage_hold_out_table(SourceFiles const& files);

std::vector<SourceTable> source_tables(SourceFiles const& files);

/// A line of each table, in Markdown: how many rows, and the row that uses most of its tolerance,
/// unless all agree to a thousandth of it.
std::string sources_summary(std::vector<SourceTable> const& tables);

/// All rows of all tables, in Markdown.
std::string sources_tables(std::vector<SourceTable> const& tables);

}  // namespace gridcast::training::published
