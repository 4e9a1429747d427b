// The columns of a table of attempts, gridcast.attempts/1, and the meaning of the columns of
// another table: `--columns map.yaml`. Maps for tables that many have are shipped
// (calibration/maps).
//
//   schema: gridcast.columns/1
//   title: sacct --parsable2
//   batch_system: Slurm                 # whose words and advice a ledger gives: HTCondor's, or
//                                       general ones
//   separator: "|"
//   time_zone: America/Chicago          # of times without an offset
//   time_format: "%d/%m/%Y %H:%M"       # of times in no form that is known (strptime)
//   header: [JobID, State, Start, End]  # of a table whose first row is not its columns' names
//   columns:                            # gridcast's name -> the table's
//     job: JobIDRaw
//     gpus: {column: AllocTRES, pattern: 'gres/gpu=(\d+)'}
//     gpu_memory: {column: GPU Memory MB, unit: 1 MiB}
//     site: [Cluster, {value: slurm}]   # the first that is there and not empty
//   outcomes:                           # the table's word -> outcome, perhaps reason and hold code
//     COMPLETED: succeeded
//     TIMEOUT: removed execution_too_long
//   ends:                               # the earliest of these ends the attempt, if before `ended`
//     - {column: Held Time, outcome: held}
//   empty: [Unknown, None]              # cells without a value
//   skip: {JobID: '\.'}                 # rows that are no attempts: where the pattern is found
//   within: cluster                     # which has job numbers of its own, as another one has
//   retry_of: parentid                  # the job that this row's job is another attempt of
//   elapsed: Elapsed                    # time from `started` on of an attempt without `ended`
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/text.hpp"
#include "sim/classad/functions.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::import {

/// How an attempt ends, in the words of the tables' column `outcome`. `running` and `waiting` have
/// not ended.
enum class AttemptOutcome : std::uint8_t {
  succeeded,
  failed,
  requeued,
  evicted,
  error,
  lost,
  held,
  removed,
  dropped,
  running,
  waiting,
};

struct OutcomeWord {
  std::string_view name;
  std::optional<history::EventKind> ends;  // the event that ends the attempt
  std::string_view meaning;
};

OutcomeWord const& word_of(AttemptOutcome outcome);
std::optional<AttemptOutcome> outcome_named(std::string_view name);
/// The outcome of an event that ends an attempt.
AttemptOutcome outcome_of(history::JobEvent const& event);
std::vector<std::string> outcome_names();

// gridcast.attempts/1: a table with one row for each attempt of a job, as its owners keep it when
// the logs are gone, or as any other batch system can be written down. This is the one list of its
// columns: the reader, the writer, the maps of other tables and docs/formats.md go by it.

/// In the order in which they are written.
enum class AttemptColumn : std::uint8_t {
  job,
  attempt,
  user,
  name,
  batch,
  program,
  arguments,
  submitted,
  matched,
  queued,
  transfer_started,
  transfer_ended,
  started,
  output_started,
  output_ended,
  ended,
  outcome,
  reason,
  hold_code,
  hold_subcode,
  exit_code,
  released,
  release_reason,
  removed,
  site,
  host,
  slot,
  gpus,
  gpu_model,
  gpu_memory,
  gpu_capability,
  bytes_in,
  bytes_out,
  epochs,
  checkpoints,
  suspended,
  disconnected,
};

inline constexpr std::size_t attempt_column_count = 37;

/// The form of its cells.
enum class CellForm : std::uint8_t { text, time, count, code, number, size, moments, spans };

struct AttemptColumnRow {
  std::string_view name;
  CellForm form;
  bool required;
  std::string_view unit;
  std::string_view meaning;
};

AttemptColumnRow const& row_of(AttemptColumn column);
inline std::string_view name(AttemptColumn column) { return row_of(column).name; }
std::optional<AttemptColumn> attempt_column_named(std::string_view name);
std::vector<std::string> attempt_column_names();

std::optional<history::Reason> reason_named(std::string_view name);

// Regular expressions that take a part out of a cell: "gres/gpu=(\d+)", with a limit on the work of
// a search, as maps are shared and cells are anything.

class CellPattern {
 public:
  /// None if it is no regular expression.
  static std::optional<CellPattern> compile(std::string const& pattern);

  /// The first group of the first match; the whole match where there is no group; none without a
  /// match.
  std::optional<std::string_view> part_of(std::string_view cell) const;
  /// The same of each match in order, of the first `most`.
  std::vector<std::string_view> parts_of(std::string_view cell, std::size_t most) const;

 private:
  explicit CellPattern(classad::Pattern pattern) : pattern_(std::move(pattern)) {}
  classad::Pattern pattern_;
};

inline constexpr char column_map_schema[] = "gridcast.columns/1";

/// The source of a cell's text.
struct ColumnSource {
  std::string column = {};                  // of the table; empty: `value` for every row
  std::string value = {};                   // with a column: where its cell has a value
  std::optional<CellPattern> pattern = {};  // which part of the cell; nothing where it is not found
  std::optional<Bytes> unit = {};           // the meaning of 1 in a cell of a size; none: 1 B
  bool sum = false;  // of `gpus`: of all that the pattern finds; of `gpu_memory`: all GPUs
};

struct MappedOutcome {
  AttemptOutcome outcome = AttemptOutcome::running;
  std::optional<history::Reason> reason = {};
  int code = 0;
};

struct ColumnMap {
  std::string title = {};
  std::string batch_system = {};
  std::optional<char> separator = {};
  std::string time_zone = {}, time_format = {};
  std::vector<std::string> header = {};
  std::array<std::vector<ColumnSource>, attempt_column_count> sources = {};  // by AttemptColumn
  std::map<std::string, MappedOutcome, LessIgnoringCase> outcomes = {};
  struct End {
    std::string column;
    AttemptOutcome outcome;
  };
  std::vector<End> ends = {};
  std::vector<std::string> empty = {};
  struct Skip {
    std::string column;
    CellPattern pattern;
  };
  std::vector<Skip> skip = {};
  std::vector<ColumnSource> within = {};    // which cluster of several, each with its own numbers
  std::vector<ColumnSource> retry_of = {};  // which job, as `job` calls it
  std::vector<ColumnSource> elapsed = {};   // as parse_elapsed() reads it

  std::vector<ColumnSource> const& of(AttemptColumn column) const {
    return sources[static_cast<std::size_t>(column)];
  }
};

/// The table's own names, by which a table in the form gridcast.attempts/1 is read.
ColumnMap own_columns();

/// Names of the maps that come with gridcast (calibration/maps), and one of them; none if it is not
/// installed.
inline constexpr std::string_view shipped_maps[] = {"metl", "panda", "sacct"};
std::optional<ColumnMap> shipped_map(std::string_view name);

/// InputError with all that is wrong with the file.
ColumnMap read_column_map(std::filesystem::path const& file);

/// The table's columns that the map reads.
std::set<std::string> columns_named(ColumnMap const& map);

/// How a map and a header go together.
struct ColumnFit {
  std::vector<AttemptColumn> found = {};    // columns that the table has
  std::vector<AttemptColumn> missing = {};  // required ones that it has not
  std::vector<std::string> unused = {};     // of the table's columns
};
ColumnFit fit_columns(ColumnMap const& map, std::vector<std::string> const& header);

}  // namespace gridcast::import
