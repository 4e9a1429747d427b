// The dates of a job event log (ULogEvent::readHeader and formatHeader in condor_event.cpp):
//   2026-11-21 05:17:29   ISO_DATE; also with a T between, as JSON and XML have it
//   11/21 05:17:29        LEGACY, without a year
// with ".mmm" (SUB_SECOND; up to nine digits are read) and "Z" (UTC) behind the time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gridcast::condor {

struct LogDate {
  std::int64_t ms = 0;  // Unix milliseconds, as if UTC; without a year: of 1972
  bool utc = false;
  bool year_known = true;
};

/// Days from 1970-01-01 in the Gregorian calendar.
std::int64_t days_from_civil(std::int64_t year, unsigned month, unsigned day);

/// Takes a date off the front. None if it is no date, or a day that no calendar has.
std::optional<LogDate> eat_log_date(std::string_view& rest);

/// A date of 1972 in another year; 29 February becomes 1 March where there is none.
std::int64_t in_year(std::int64_t ms_of_1972, std::int64_t year);
std::int64_t year_of(std::int64_t ms);

}  // namespace gridcast::condor
