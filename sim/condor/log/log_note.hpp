// What an event of the log says of its job, without the words: small enough to be kept until the
// job's second is over, when the order within it can be mended. And what the words say before they
// are dropped: why an attempt ended or a job was held, from HTCondor's codes and, where they leave
// it open, its words. Codes: HTCondor manual, "Job Event Log Codes" (HoldReasonCode,
// VacateReasonCode).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/condor/log/event_reader.hpp"
#include "sim/condor/log/execution_points.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

/// In an order in which inputs, outputs and ends are next to each other.
enum class NoteKind : std::uint8_t {
  submitted,
  input_queued,
  input_started,
  input_finished,
  executing,
  output_queued,
  output_started,
  output_finished,
  terminated,
  evicted,
  requeued,
  shadow_exception,
  reconnect_failed,
  held,
  released,
  aborted,
  suspended,
  unsuspended,
  disconnected,
  reconnected,
  checkpointed,  // 003
  skipped,       // 046: its outputs are newer than its inputs, so it need not run
  alive,         // 006: the program runs
  hint,          // 021, 028: only where and why
};

struct LogNote {
  std::int64_t at_ms = 0;
  std::int64_t queued_ms = 0;  // of input_started: how long it waited for it
  std::int64_t busy_ms = 0;    // of an end: how long the slot was claimed; 0: not told
  std::size_t line = 0;
  std::uint32_t file = 0;  // of LogWarnings
  SlotPlace place;
  Id<history::Site> site;
  std::uint32_t reason_hash = 0;  // of the reason's text; 0: none is given
  std::int32_t subcode = 0;
  std::uint16_t gpus = 0;  // JobEvent::gpus
  std::int16_t code = 0, exit_code = 0;
  NoteKind kind = NoteKind::hint;
  history::Reason reason = history::Reason::none;
  bool useful = true;
  bool checkpointed = false;  // 004 "(1) Job was checkpointed."

  /// Fills in the event's reason, codes and exit.
  void tell(history::JobEvent& event) const;
};

/// Stamps of one job's events by several processes differ by so much without anything being wrong.
constexpr std::int64_t unremarkable_ms = 2000;

/// The second that a time is in, before 1970 too.
std::int64_t second_of(std::int64_t ms);

/// What the event is to its job; none if it says nothing of a job's life. `reason`, codes and exit
/// are filled in, the place is not.
std::optional<LogNote> note_of(RawEvent const& event, std::int64_t at_ms);

/// The notes of one job's second in the order in which they can have happened: shadow and schedd
/// write into the log side by side.
void order_within_second(std::vector<LogNote>& notes);

/// Of 012, and of 004 with a code below 1000, which is the code of the hold that follows.
history::Reason hold_reason(int code, int subcode, std::string_view text);

/// Of 004 and 007; code 0 where the log gives none.
history::Reason vacate_reason(int code, int subcode, std::string_view text);

/// Of 009 and 013: a person or an expression.
history::Reason decision_reason(std::string_view text);

/// Whether the input's transfer failed, which can be logged as "Finished transferring" all the
/// same.
bool input_failed(history::Reason reason, int code);
bool output_failed(history::Reason reason, int code);

/// Whether the job leaves its slot, or the queue, with it.
bool is_end(NoteKind kind);

}  // namespace gridcast::condor
