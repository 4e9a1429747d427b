// The times of a table, in each form of ISO 8601, as seconds of one clock:
//   2025-08-27T10:54:20, 2025-08-27 10:54, 20250827T105420, with .mmm, with Z, +02:00, -0600
//   1/27/2025 2:51, 1/27/2025 02:51:07 PM   month/day/year, and that is reported
//   1756292060            Unix seconds (1756292060123: milliseconds)
//   0, 812.5              seconds since the campaign's start, where no number is a date's
// A time without an offset is of the table's zone; without one it is taken for UTC, with a
// remark.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/condor/log/log_clock.hpp"

namespace gridcast::import {

/// Times of two processes, written in whole seconds, may be so much out of order.
inline constexpr Seconds one_stamp(1.5);

/// A time in its written form.
struct WrittenTime {
  enum class Kind { zoned, local, relative };
  Kind kind = Kind::zoned;
  std::int64_t ms = 0;         // Unix milliseconds; of a local time as if it were UTC
  Seconds since_start = {};    // of a relative one
  bool order_assumed = false;  // of month and day
  bool order_shown = false;    // the day is above 12
};

/// True for a date after 1970 in strptime's form.
bool is_date_in(std::string_view text, std::string const& format);

/// None for a text that is no time. `format`, if not empty, is strptime's and goes first.
std::optional<WrittenTime> parse_table_time(std::string_view text, std::string const& format = {});

/// "1-02:03:04", "02:03:04", "03:04", as Slurm writes durations, or a number of seconds.
std::optional<Seconds> parse_elapsed(std::string_view text);

/// Words of databases and spreadsheets in place of a time, and dates that none of them can hold.
bool stands_for_none(std::string_view text);

/// True if strptime takes it.
bool is_time_format(std::string const& format);

/// "2025-08-27T10:54:20Z", with milliseconds if there are any.
std::string iso_time(std::int64_t unix_ms);

/// Brings the times of a table onto one clock.
class TableClock {
 public:
  /// InputError for an unknown zone.
  explicit TableClock(std::string const& time_zone) { use_zone(time_zone); }

  /// From then on; empty: none. InputError as above.
  void use_zone(std::string const& time_zone);
  /// From then on, of times in no form that is known; empty: none.
  void use_format(std::string const& format) { format_ = format; }
  std::optional<WrittenTime> parse(std::string_view text) const {
    return parse_table_time(text, format_);
  }

  enum class Kind { none, dated, relative };
  Kind kind() const { return kind_; }
  /// For a dated table: Unix seconds of the clock's zero.
  std::int64_t zero_unix() const { return zero_ms_.value_or(0) / 1000; }
  /// Times without an offset, and with one, were there.
  bool zone_assumed() const { return zone_assumed_; }
  bool zones_mixed() const { return local_seen_ && zoned_seen_; }
  /// Times in an hour that the zone's clock skipped.
  std::size_t skipped_times() const { return skipped_times_; }
  /// There were dates whose month is taken to stand before the day.
  bool order_assumed() const { return order_assumed_; }

  /// InputError for a date like 27/1/2025, in which the first number can only be the day, unless
  /// another date has shown the opposite: others may fit both orders.
  void refuse_day_first(std::string_view text, Location where) const;

  /// None for a text that is no time, and for seconds among dates. `not_before` decides which of
  /// the two hours is meant that a day has when the clock is set back.
  std::optional<Seconds> read(std::string_view text, std::optional<Seconds> not_before);

 private:
  std::optional<condor::TimeZone> zone_;
  std::string format_;
  Kind kind_ = Kind::none;
  std::optional<std::int64_t> zero_ms_;  // whole seconds
  bool local_seen_ = false, zoned_seen_ = false, zone_assumed_ = false;
  bool order_assumed_ = false, order_shown_ = false;
  std::size_t skipped_times_ = 0;
};

}  // namespace gridcast::import
