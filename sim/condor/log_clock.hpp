// From the dates of a log to Unix time: which year a date without one is of, which hour of the day
// that has one twice, and whether the clock was set back.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/condor/log_warnings.hpp"
#include "sim/condor/raw_event.hpp"
#include "sim/condor/time_zone.hpp"

namespace gridcast::condor {

class LogClock {
 public:
  /// InputError for a zone that nobody knows.
  LogClock(ReadLogOptions const& options, LogWarnings& warnings);

  /// A file begins. Dates without a year are of the year that its beginning tells (a job's end is
  /// logged with one), else of the file before, else of its last change.
  void begin_file(std::string_view beginning, std::optional<std::int64_t> changed_unix);

  /// Unix milliseconds; as if UTC where neither the date nor an option tells the zone.
  std::int64_t time_of(RawEvent const& event);

  /// Local time minus UTC of the dates that were taken as UTC, as jobs' ends tell it, which are
  /// logged in both; zero and a warning where none does. Zero if no date was taken so.
  std::int64_t assumed_offset_s();

 private:
  std::int64_t with_year(RawEvent const& event);
  void compare_with_utc(RawEvent const& event, std::int64_t local_ms);

  ReadLogOptions const& options_;
  LogWarnings& warnings_;
  std::optional<TimeZone> zone_;
  std::optional<std::int64_t> last_ms_;        // of the event before
  std::optional<std::int64_t> last_local_ms_;  // the same as its date had it
  std::optional<std::int64_t> anchor_ms_;      // a time not long after the file's first event
  std::string_view anchor_from_;
  std::optional<std::int64_t> offset_s_;  // by the first job's end that tells
  bool offset_changes_ = false;
  bool zone_assumed_ = false, utc_seen_ = false, first_in_file_ = true;
};

}  // namespace gridcast::condor
