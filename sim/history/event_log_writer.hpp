// A history as HTCondor's job event log, in the text format that its tools read: text events, ISO
// dates, no sub-seconds, as an access point of version 24.3 writes them (evictions with a code,
// terminations with the "of its own accord" line). The access point lives in UTC.
//
// Known to no history and therefore not written: image sizes (006), CPU time other than the
// execution itself, memory and disk used. A stall is logged as lasting since its transfer began.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

#include "sim/base/units.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast {

struct EventLogOptions {
  /// The date of time zero: 2024-08-12 09:00:00 UTC.
  std::chrono::sys_seconds start =
      std::chrono::sys_days(std::chrono::year(2024) / 8 / 12) + std::chrono::hours(9);
  /// The note below each submission; none if empty.
  std::string note = "simulated by gridcast";
  /// What a job fetches, for the reasons of failed transfers and the bytes received.
  std::string url = "osdf:///nrp/osdf/ILSVRC2012/ILSVRC2012_img_train.tar";
  Bytes input = Bytes(137e9);
  /// What a job asks for and gets.
  int cpus = 1;
  int gpus = 1;
  std::int64_t memory_mb = 16384;
  Bytes disk = Bytes(350e9);
  /// The limits that holds 47 and 32 speak of.
  Seconds allowed_execute = hours(20);
  int max_transfer_input_mb = 5000;
};

/// Throws InputError for a history without dates: a log cannot be written of what nobody dated.
void write_event_log(JobHistory const& history, std::ostream& out,
                     EventLogOptions const& options = {});

}  // namespace gridcast
