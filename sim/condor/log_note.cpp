#include "sim/condor/log_note.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "sim/condor/log_reason.hpp"

namespace gridcast::condor {
namespace {

std::optional<NoteKind> kind_of_transfer(TransferStep step) {
  switch (step) {
    case TransferStep::none:
      return std::nullopt;
    case TransferStep::input_queued:
      return NoteKind::input_queued;
    case TransferStep::input_started:
      return NoteKind::input_started;
    case TransferStep::input_finished:
      return NoteKind::input_finished;
    case TransferStep::output_queued:
      return NoteKind::output_queued;
    case TransferStep::output_started:
      return NoteKind::output_started;
    case TransferStep::output_finished:
      return NoteKind::output_finished;
  }
  return std::nullopt;
}

std::optional<NoteKind> kind_of(RawEvent const& event) {
  switch (event.number) {
    case 0:
      return NoteKind::submitted;
    case 1:
      return NoteKind::executing;
    case 3:
      return NoteKind::checkpointed;
    case 4:
      return event.requeued ? NoteKind::requeued : NoteKind::evicted;
    case 5:
      return NoteKind::terminated;
    case 6:
      return NoteKind::alive;
    case 7:
      return NoteKind::shadow_exception;
    case 9:
      return NoteKind::aborted;
    case 10:
      return NoteKind::suspended;
    case 11:
      return NoteKind::unsuspended;
    case 12:
      return NoteKind::held;
    case 13:
      return NoteKind::released;
    case 21:
    case 28:
      return NoteKind::hint;
    case 22:
      return NoteKind::disconnected;
    case 23:
      return NoteKind::reconnected;
    case 24:
      return NoteKind::reconnect_failed;
    case 40:
      return kind_of_transfer(event.transfer);
    case 46:
      return NoteKind::skipped;
    default:
      return std::nullopt;
  }
}

template <class Small>
Small narrow(std::optional<int> value) {
  constexpr int most = std::numeric_limits<Small>::max(), least = std::numeric_limits<Small>::min();
  return static_cast<Small>(std::clamp(value.value_or(0), least, most));
}

void read_exit(LogNote& note, RawEvent const& event) {
  if (event.signal) {
    note.exit_code = narrow<std::int16_t>(-*event.signal);
    note.reason = history::Reason::killed_by_signal;
  } else if (event.return_value) {
    note.exit_code = narrow<std::int16_t>(event.return_value);
    note.reason = *event.return_value == 0 ? history::Reason::none : history::Reason::exit_code;
  } else {
    note.reason = history::Reason::unknown;
  }
  note.useful = note.reason == history::Reason::none;
}

void read_reason(LogNote& note, RawEvent const& event) {
  int const code = event.code.value_or(0), subcode = event.subcode.value_or(0);
  switch (note.kind) {
    case NoteKind::terminated:
      return read_exit(note, event);
    case NoteKind::requeued:
      read_exit(note, event);
      note.useful = true;
      return;
    case NoteKind::evicted:
    case NoteKind::shadow_exception:
      note.reason = vacate_reason(code, subcode, event.reason);
      return;
    case NoteKind::reconnect_failed:
      note.reason = history::Reason::lost_contact;
      return;
    case NoteKind::held:
      note.reason = hold_reason(code, subcode, event.reason);
      return;
    case NoteKind::released:
    case NoteKind::aborted:
      note.reason = decision_reason(event.reason);
      return;
    case NoteKind::hint:
      // The starter's code is no hold code, its words are worth having.
      if (event.number == 21) note.reason = vacate_reason(0, 0, event.reason);
      return;
    default:
      return;
  }
}

bool is_input_step(NoteKind kind) {
  return kind == NoteKind::input_queued || kind == NoteKind::input_started ||
         kind == NoteKind::input_finished;
}

bool is_output_step(NoteKind kind) {
  return kind == NoteKind::output_queued || kind == NoteKind::output_started ||
         kind == NoteKind::output_finished;
}

using Notes = std::vector<LogNote>;

// 001 before its own "Finished transferring input files".
void execute_after_input(Notes& notes) {
  for (std::size_t i = 0; i + 1 < notes.size(); ++i) {
    if (notes[i].kind != NoteKind::executing) continue;
    std::size_t last = i;
    for (std::size_t j = i + 1; j < notes.size() && !is_end(notes[j].kind); ++j) {
      if (notes[j].kind == NoteKind::executing) break;
      if (is_input_step(notes[j].kind)) last = j;
    }
    auto const at = notes.begin() + static_cast<std::ptrdiff_t>(i);
    std::rotate(at, at + 1, notes.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    i = last;
  }
}

// The output's transfer after the end that it came before.
void output_before_end(Notes& notes) {
  std::size_t end = notes.size();  // the first end that nothing began after
  for (std::size_t i = 0; i < notes.size(); ++i) {
    NoteKind const kind = notes[i].kind;
    if (is_end(kind)) {
      end = std::min(end, i);
    } else if (is_input_step(kind) || kind == NoteKind::executing) {
      end = notes.size();
    } else if (is_output_step(kind) && end < i) {
      auto const at = notes.begin() + static_cast<std::ptrdiff_t>(i);
      std::rotate(notes.begin() + static_cast<std::ptrdiff_t>(end), at, at + 1);
      ++end;
    }
  }
}

// The schedd's 012 or 009 before the shadow's 004 or 007 of the same loss.
void shadow_before_schedd(Notes& notes) {
  for (std::size_t i = 0; i + 1 < notes.size(); ++i) {
    bool const of_schedd = notes[i].kind == NoteKind::held || notes[i].kind == NoteKind::aborted;
    NoteKind const next = notes[i + 1].kind;
    if (of_schedd && (next == NoteKind::evicted || next == NoteKind::shadow_exception)) {
      std::swap(notes[i], notes[i + 1]);
    }
  }
}

}  // namespace

std::int64_t second_of(std::int64_t ms) { return ms >= 0 ? ms / 1000 : (ms + 1) / 1000 - 1; }

void LogNote::tell(history::JobEvent& event) const {
  event.reason = reason;
  event.code = code;
  event.subcode = subcode;
  event.exit_code = exit_code;
  event.useful = useful;
}

bool is_end(NoteKind kind) {
  switch (kind) {
    case NoteKind::terminated:
    case NoteKind::evicted:
    case NoteKind::requeued:
    case NoteKind::shadow_exception:
    case NoteKind::reconnect_failed:
    case NoteKind::held:
    case NoteKind::aborted:
      return true;
    default:
      return false;
  }
}

std::optional<LogNote> note_of(RawEvent const& event, std::int64_t at_ms) {
  auto const kind = kind_of(event);
  if (!kind || event.of_cluster) return std::nullopt;
  LogNote note;
  note.at_ms = at_ms;
  note.line = event.line;
  note.kind = *kind;
  note.checkpointed = event.checkpointed;
  if (*kind != NoteKind::hint) {
    note.code = narrow<std::int16_t>(event.code);
    note.subcode = event.subcode.value_or(0);
  }
  if (!event.reason.empty()) {
    note.words = static_cast<std::uint32_t>(std::hash<std::string_view>{}(event.reason)) | 1U;
  }
  if (event.seconds_in_queue) note.queued_ms = std::max(0, *event.seconds_in_queue) * 1000LL;
  read_reason(note, event);
  return note;
}

void order_within_second(Notes& notes) {
  if (notes.size() < 2) return;
  std::stable_partition(notes.begin(), notes.end(),
                        [](LogNote const& note) { return note.kind == NoteKind::submitted; });
  execute_after_input(notes);
  output_before_end(notes);
  shadow_before_schedd(notes);
}

}  // namespace gridcast::condor
