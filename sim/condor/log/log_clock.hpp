// From the dates of a job event log to Unix time. A log has its dates in two forms
// (ULogEvent::readHeader and formatHeader in condor_event.cpp):
//   2026-11-21 05:17:29   ISO_DATE; also with a T between, as JSON and XML have it
//   11/21 05:17:29        LEGACY, without a year
// with ".mmm" (SUB_SECOND; up to nine digits are read) and "Z" (UTC) behind the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "sim/condor/log/event_reader.hpp"
#include "sim/condor/log/read_log.hpp"

namespace gridcast::condor {

struct LogDate {
  std::int64_t ms = 0;  // Unix milliseconds, as if UTC; without a year: of 1972
  bool utc = false;
  bool year_known = true;
};

/// Unix milliseconds of the midnight in which a day begins, as if UTC (Gregorian calendar).
std::int64_t midnight_ms(int year, int month, int day);

/// Takes a date off the front. None if it is no date, or a day that no calendar has.
std::optional<LogDate> eat_log_date(std::string_view& rest);

/// Milliseconds since midnight; none for a time that no clock has: 24:00:00 ends a day (ISO 8601),
/// and a leap second ends a quarter of an hour in each zone.
std::optional<std::int64_t> ms_of_day(int hour, int minute, int second);

/// Milliseconds of ".mmm" or ",mmm" at the front, to which more digits add nothing; 0 without one.
std::int64_t eat_fraction(std::string_view& rest);

/// Milliseconds that local time is ahead of UTC by the offset at the front: "Z", "UTC", "+02:00",
/// "-0600", "+2". None, and nothing is taken off, if there is none.
std::optional<std::int64_t> eat_offset(std::string_view& rest);

/// "UTC-06:00": local time minus UTC.
std::string offset_text(std::int64_t offset_s);
/// True if two dates of an event, each as if UTC, can be one in some time zones.
bool same_in_some_zone(std::int64_t a_ms, std::int64_t b_ms);

/// A date of 1972 in another year; 29 February becomes 1 March where there is none.
std::int64_t in_year(std::int64_t ms_of_1972, std::int64_t year);
std::int64_t year_of(std::int64_t ms);

/// Local time of an access point to Unix time, by the IANA time zone database of this machine.
class TimeZone {
 public:
  /// "America/Chicago", "UTC"; none if this machine does not know it.
  static std::optional<TimeZone> named(std::string const& name);

  /// Unix milliseconds. If an hour is set back, the first of the two that is not before
  /// `not_before`; an hour that was skipped counts as if the clock had not been set forward.
  std::int64_t to_unix_ms(std::int64_t local_ms, std::int64_t not_before_ms) const;
  /// True in an hour that was skipped.
  bool skips(std::int64_t local_ms) const;

 private:
  using OffsetAt = std::function<std::int64_t(std::int64_t unix_s)>;  // local time minus UTC
  explicit TimeZone(OffsetAt offset_at) : offset_at_(std::move(offset_at)) {}
  OffsetAt offset_at_;
};

/// The hour of local time that a day has twice, and until when the clock then is as it was set
/// there.
struct RepeatedHour {
  std::int64_t begin_ms = 0, until_ms = 0;

  bool holds(std::int64_t local_ms) const;
};

/// From the dates of a log to Unix time: which year a date without one is of, which hour of the day
/// that has one twice, and whether the clock was set back. Without a zone a date that is behind the
/// one before it, where a day may have its hour twice, is of the second of the two, and dates
/// behind it are later by an hour than written.
class LogClock {
 public:
  /// InputError for an unknown zone.
  LogClock(ReadLogOptions const& options, LogWarnings& warnings);

  /// The events of a file with their times and the ends of their programs. Returns its lines.
  struct File {
    LogForm form;
    LogWindow& window;
    std::optional<std::int64_t> changed_unix;  // as begin_file() takes it
  };
  std::size_t read(File const& file,
                   std::function<void(RawEvent const& event, std::int64_t at_ms)> const& use);

  /// A file begins. Dates without a year are of the year in its beginning (a job's end is logged
  /// with one), else of the file before, else of its last change; if there is a 29 February in the
  /// beginning, not later than a year that has it.
  void begin_file(std::string_view beginning, std::optional<std::int64_t> changed_unix);

  /// Unix milliseconds; as if UTC where neither the date nor an option gives the zone.
  std::int64_t time_of(RawEvent const& event);
  /// The time at which the program of this event's end ended, on the clock of time_of(); none where
  /// the event does not contain it. If nothing shows the zone, it is that in which the end is least
  /// late.
  std::optional<std::int64_t> program_end(RawEvent const& event, std::int64_t at_ms) const;

  /// Local time minus UTC of the dates that were taken as UTC, by jobs' ends, which are logged in
  /// both; zero and a warning without one, or if more than a tenth of them were logged late: then
  /// lateness looks like a zone. Zero if no date was taken so.
  std::int64_t assumed_offset_s();
  /// Local time minus UTC of the last date by the zone of an option.
  std::int64_t offset_by_zone_s() const;

 private:
  std::int64_t with_year(RawEvent const& event);
  std::int64_t in_its_year(RawEvent const& event);
  std::int64_t since_set_back_ms(std::int64_t local_ms, std::size_t line);
  void report_change(std::int64_t offset_s, std::size_t line);
  void compare_with_utc(RawEvent const& event, std::int64_t local_ms);

  ReadLogOptions const& options_;
  LogWarnings& warnings_;
  std::optional<TimeZone> zone_;
  std::optional<std::int64_t> last_ms_;        // of the event before
  std::optional<std::int64_t> last_local_ms_;  // the same as its date had it
  std::optional<std::int64_t> anchor_ms_;      // a time not long after the file's first event
  std::string_view anchor_from_;
  Need anchor_need_ = Need::action;              // of the note on it
  std::optional<int> years_to_leap_day_;         // from the file's first event
  std::optional<std::int64_t> offset_s_;         // by the first job's end that has it
  std::optional<std::int64_t> likely_offset_s_;  // by most ends in the file's beginning
  std::size_t ends_ = 0, punctual_ends_ = 0;     // that have a time in UTC
  std::optional<RepeatedHour> repeated_;
  bool second_time_ = false;  // of that hour
  bool offset_changes_ = false;
  bool zone_assumed_ = false, utc_seen_ = false, first_in_file_ = true;
};

// A clock that is set back while a log is written.
//
// HTCondor appends events, so those of one file stand in the order in which they happened. If a
// job's event is more than five minutes earlier than the job's event before it, then the clock was
// set back. From there on, all times count as later by the step, so that time goes on:
//
//   step = latest time so far - time of the event
//
// The time that passed at the step itself is unknown and taken as zero. A clock that later leaps
// forward by as much was set right again. A few events of a far future, after which the clock
// returns, are no step: their own dates are wrong.
//
// An example: a job is submitted at 8:00 and executes at 10:00. The clock is then set back by an
// hour, and the job ends at 9:30. The end counts as 10:00, and an event of 9:40 as 10:10.

class ClockSteps {
 public:
  struct Time {
    std::int64_t at_ms = 0;    // with all steps so far
    std::int64_t step_ms = 0;  // that is seen with this event; 0: none
  };
  /// The next event of a file, `at_ms` by its date. `job_ms`: the time of its job's event before in
  /// this file, with the steps.
  Time next(std::int64_t at_ms, std::optional<std::int64_t> job_ms);

 private:
  void follow(std::int64_t at_ms);

  std::int64_t ahead_ms_ = 0;                      // of the dates
  std::optional<std::int64_t> date_ms_;            // of the event before
  std::int64_t latest_ms_ = 0;                     // with the steps
  std::int64_t leap_ms_ = 0, before_leap_ms_ = 0;  // the last leap forward; the latest time before
  int since_leap_ = 0;                             // events
};

}  // namespace gridcast::condor
