// Tables of attempts read: gridcast.attempts/1, and any other that a column map describes.
//
// A row that cannot be used is left out, a cell that cannot is taken for empty, and each is
// reported with its place. Nothing is guessed: an unknown outcome, times that run backwards, a
// repeated attempt leave their row out. An attempt's times may be a second apart in the wrong
// order, as they are stamps of different processes; the later one then counts for both.
//
// In some tables a retry is a job of its own that names the job that it retries (`retry_of` of a
// column map). Its row becomes another attempt of that job, if the attempt before it ended without
// success before this one begins, and has the lower number where both have one. PanDA names the job
// also in each part of a split job, so the name alone is not enough. Among several candidates the
// one that ended last counts. An attempt with a successor did not end its job: a failed one went
// back to the queue, one that was taken out of a slot lost it.
//
// The way to a job history and back keeps what the ledger counts and what a calibration is fitted
// to: sites, slots, GPUs, programs, every phase of an attempt and how it ended. Not kept: the time
// at which a transfer of output waited for its turn, which counts with the transfer, and events
// after an end without a known begin.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/condor/log/read_log.hpp"
#include "sim/history/job_history.hpp"
#include "sim/import/table/column_map.hpp"

namespace gridcast::import {

using Span = std::pair<Seconds, Seconds>;
inline constexpr Seconds no_end(std::numeric_limits<double>::infinity());  // of a span

/// Names are indices into AttemptTable::names, where 0 is the empty one.
struct AttemptRow {
  std::uint32_t job = 0;                       // index into AttemptTable::jobs
  std::uint32_t attempt = 0;                   // 0: unknown
  std::optional<std::uint32_t> retry_of = {};  // another job that this is an attempt of
  std::uint32_t file = 0, line = 0;
  std::optional<Seconds> submitted, matched, queued, transfer_started, transfer_ended, started,
      output_started, output_ended, ended, released, removed;
  std::optional<Seconds> seen_until = {};  // of one that runs: when the table was written
  AttemptOutcome outcome = AttemptOutcome::running;
  history::Reason reason = history::Reason::none;
  history::Reason release_reason = history::Reason::unknown;
  std::int32_t code = 0, subcode = 0, exit_code = 0;
  std::uint32_t user = 0, name = 0, batch = 0, program = 0, arguments = 0, site = 0, host = 0,
                slot = 0;
  std::optional<std::uint32_t> gpus = {};
  bool gpus_implied = false;  // implied by another column: none where that has other rows' GPUs
  std::uint32_t gpu_model = 0;
  Bytes gpu_memory;
  double gpu_capability = 0;
  std::optional<Bytes> bytes_in, bytes_out;
  std::uint32_t epochs = 0;
  std::vector<Span> checkpoints = {};  // from the begin of its transfer, where known, to its end
  std::vector<Span> suspended = {}, disconnected = {};

  bool has_slot() const { return matched || queued || transfer_started || started; }
};

/// The times of an attempt in the order in which they pass; those up to its end come first.
inline constexpr std::pair<AttemptColumn, std::optional<Seconds> AttemptRow::*> times_of_row[] = {
    {AttemptColumn::submitted, &AttemptRow::submitted},
    {AttemptColumn::matched, &AttemptRow::matched},
    {AttemptColumn::queued, &AttemptRow::queued},
    {AttemptColumn::transfer_started, &AttemptRow::transfer_started},
    {AttemptColumn::transfer_ended, &AttemptRow::transfer_ended},
    {AttemptColumn::started, &AttemptRow::started},
    {AttemptColumn::output_started, &AttemptRow::output_started},
    {AttemptColumn::output_ended, &AttemptRow::output_ended},
    {AttemptColumn::ended, &AttemptRow::ended},
    {AttemptColumn::released, &AttemptRow::released},
    {AttemptColumn::removed, &AttemptRow::removed}};

/// A report of the reading for the user.
struct TableReport {
  std::size_t rows = 0, rows_left_out = 0, cells_left_out = 0, rows_skipped = 0;
  std::vector<Problem> notes = {};  // the first of them
  std::size_t more_notes = 0;
  std::vector<std::string> remarks = {};  // of the table as a whole

  static constexpr std::size_t most_notes = 10;
  void note(Problem problem);
};
/// "386 attempts of 339 jobs in 386 rows, 0 rows and 2 cells left out", then a line each.
std::string to_text(TableReport const& report);

struct AttemptTable {
  std::vector<std::string> files = {};         // as problems name them
  std::vector<std::string> jobs = {};          // as the table calls them
  std::vector<std::string> names = {};         // the first is empty
  std::vector<AttemptRow> rows = {};           // jobs, names and rows: see settle_order
  std::string batch_system = {};               // as the column map has it
  std::optional<std::int64_t> zero_unix = {};  // none: seconds since the campaign's start
  TableReport report = {};
};

/// The tables with this map: those that it fits and that are not in gridcast's own form; none: all
/// are.
using Columns = std::optional<ColumnMap>;

/// InputError for a file that is no such table, or has no usable row: with a map proposed for a
/// header that is another's. `zone`, if not empty, goes before the map's.
AttemptTable read_attempt_tables(std::vector<std::filesystem::path> const& files,
                                 Columns const& columns, std::string const& zone = {});

/// Gives jobs, names and rows an order of their own, for each order of the table's rows: jobs by
/// name, numbers within names by value ("9.0" before "10.0", as event logs have their jobs), names
/// by letter, rows by job, file, attempt, times and the rest.
void settle_order(AttemptTable& table);

/// Jobs "12.3", "12", "12_3" and "12+3" are called so. The others have names of their own, which
/// are their labels' nodes too where the table has no `name`, and the free clusters from 1, in the
/// order of their names. Neither they nor the sites depend on the order of the table's rows.
/// Attempts that overlap one before are left out, and noted.
history::JobHistory history_of(AttemptTable& table);

/// Bytes in and out with each attempt that ended, as in its row. For a table from which
/// `history_of` has made this history.
std::vector<condor::LoggedRun> runs_of(AttemptTable const& table,
                                       history::JobHistory const& history);
history::BytesBySite bytes_of(AttemptTable const& table);

/// gridcast.attempts/1 of a history with dates. Times are ISO 8601 in UTC; where the history does
/// not know when it began, seconds since then. `runs`: bytes in and out with attempts, where the
/// record has them.
std::string attempts_csv(history::JobHistory const& history,
                         std::vector<condor::LoggedRun> const& runs = {});

}  // namespace gridcast::import
