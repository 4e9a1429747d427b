// One event of a job event log as it is written, before it is understood: what the text, JSON and
// XML forms have in common. Views point into the reader's buffer and live until the next event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/history/job_history.hpp"

namespace gridcast::condor {

/// 040's six first lines, in the order of the ClassAd attribute Type.
enum class TransferStep : std::uint8_t {
  none,
  input_queued,
  input_started,
  input_finished,
  output_queued,
  output_started,
  output_finished,
};

struct RawEvent {
  int number = 0;  // 000 to 047
  history::JobName job;
  bool of_cluster = false;  // 035 to 038 speak of a cluster, not of one job
  std::int64_t at_ms = 0;   // of the clock the log was written by, Unix milliseconds as if UTC
  bool utc = false;         // the date said so
  bool year_known = true;   // MM/DD dates have none; at_ms is then of the year 1972
  std::size_t line = 0;     // where it begins, from 1
  TransferStep transfer = TransferStep::none;
  std::optional<int> seconds_in_queue;      // 040 started
  std::string_view host;                    // sinful string of 000, 001, 022, 023, 040
  std::string_view slot_name;               // 001, 021, 022, 023, 024
  std::string_view site;                    // GLIDEIN_ResourceName of 001 or 028
  std::string_view reason;                  // the first line of free text
  std::optional<int> code, subcode;         // of hold, vacate, or starter message
  bool requeued = false;                    // 004 "terminated and was requeued"
  bool checkpointed = false;                // 004
  std::optional<int> return_value, signal;  // 004 requeued, 005
  std::optional<std::int64_t> time_execute_s, time_slot_busy_s;  // resource table
  std::optional<std::int64_t> sent_bytes, received_bytes;        // of the run
  std::optional<std::int64_t> ended_unix;  // "of its own accord at", which is UTC
};

}  // namespace gridcast::condor
