// gridcast.attempts/1: a table with one row for each attempt of a job, as its owners keep it when the
// logs are gone, or as any other batch system can be written down. This is the one list of its
// columns: the reader, the writer, the maps of other tables and docs/formats.md go by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/history/job_history.hpp"

namespace gridcast::import {

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

/// What its cells hold.
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

/// How an attempt ended, in the table's words.
enum class AttemptOutcome : std::uint8_t {
  succeeded,
  failed,
  requeued,
  evicted,
  error,
  lost,
  held,
  removed,
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
/// Of an event that ends an attempt.
AttemptOutcome outcome_of(history::JobEvent const& event);
std::vector<std::string> outcome_names();
std::optional<history::Reason> reason_named(std::string_view name);
std::vector<std::string> reason_names();

}  // namespace gridcast::import
