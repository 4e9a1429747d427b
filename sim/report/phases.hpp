// The phases of jobs' lives as spans of time, for pictures and traces: what a job did from when to
// when, where, and why it ended there. The same rules as the accounts of time_classes.hpp, second
// by second, and one more distinction: an input transfer that was given up because no byte came is
// `stalled` from its start on (no source tells when its last byte came).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/ledger/endings.hpp"
#include "sim/ledger/time_classes.hpp"

namespace gridcast::report {

enum class Phase : std::uint8_t {
  waiting,  // idle in the queue
  matched,
  transfer,  // of input
  stalled,
  executing,
  checkpoint,
  output,
  suspended,
  disconnected,
  held,
  cool_down,
};

inline constexpr std::size_t phase_count = 11;

/// "waiting", "cool_down".
std::string_view name(Phase phase);
ledger::TimeClass time_class_of(Phase phase);
inline bool has_slot(Phase phase) { return has_slot(time_class_of(phase)); }
/// All in their order.
std::vector<Phase> all_phases();

struct PhaseSpan {
  Id<history::Job> job;
  Phase phase = Phase::waiting;
  Seconds begin, end;         // begin < end
  Id<history::Site> site;     // of phases with a slot; invalid where it is not known
  std::uint32_t slot = 0;     // as in JobEvent
  std::uint32_t attempt = 0;  // of the job's, from 1; 0 in the queue
  bool open = false;          // the record ends before the phase does
  /// In a slot: what ended the attempt, on its last span. In the queue: what brought the job there;
  /// none after its submission and its release.
  std::optional<ledger::Ending> cause;
};

/// By job, then in order of time. A job's spans do not overlap, and leave no gap from its first
/// event to its last; after its end there are none. Phases under way when the record ends go to its
/// end where the history is dated.
std::vector<PhaseSpan> phases_of(history::JobHistory const& history);

/// The cause in words; empty without one.
std::string cause_in_words(PhaseSpan const& span);

/// "slot 3", or the name that the source gives; "unknown slot" where it gives none.
std::string slot_name(history::JobHistory const& history, std::uint32_t slot);

}  // namespace gridcast::report
