// What a job was doing: each second from its first event to its last is in exactly one class.
//
//   idle             in the queue, no slot
//   matched          claimed, neither transferring nor executing: the claim's activation, the wait
//                    for a transfer slot, the start of the program
//   transfer_input   from 040 "Started transferring input files"
//   execute          from 001
//   checkpoint       the program stopped for a checkpoint (exit 85, or 003) that became safe
//   transfer_output  from 040 "output files", until the slot is left
//   suspended        010 to 011
//   disconnected     022 to 023 or 024: what the slot did meanwhile is not known at the time
//   held             012 to 013
//   cool_down        in the queue after a vacate for a failed transfer that led to no hold
//   (HTCondor
//                    25.6, SYSTEM_ON_VACATE_COOL_DOWN). The log does not tell the cool-down from
//                    the wait for a match after it; both are here
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/units.hpp"
#include "sim/history/attempt_stream.hpp"

namespace gridcast::ledger {

enum class TimeClass : std::uint8_t {
  idle,
  matched,
  transfer_input,
  execute,
  checkpoint,
  transfer_output,
  suspended,
  disconnected,
  held,
  cool_down,
};

inline constexpr std::size_t time_class_count = 10;

/// "transfer_input"; in JSON with "_s" behind it.
std::string_view name(TimeClass time_class);
/// The same for a reader: "transferring input".
std::string_view words(TimeClass time_class);

/// Whether a slot is claimed for the job meanwhile.
bool has_slot(TimeClass time_class);

/// The class that the time of a phase is in.
TimeClass time_class_of(history::Phase phase);

/// Seconds in each class.
class TimeClasses {
 public:
  Seconds& operator[](TimeClass c) { return time_[static_cast<std::size_t>(c)]; }
  Seconds operator[](TimeClass c) const { return time_[static_cast<std::size_t>(c)]; }

  Seconds total() const;
  /// Of the classes in which a slot is claimed: what RemoteWallClockTime counts.
  Seconds slot_time() const;
  TimeClasses& operator+=(TimeClasses const& other);

 private:
  std::array<Seconds, time_class_count> time_{};
};

/// All classes in their order.
std::array<TimeClass, time_class_count> all_time_classes();

}  // namespace gridcast::ledger
