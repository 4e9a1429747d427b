#include "sim/import/table/table_times.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <utility>

#include <fmt/chrono.h>

#include "sim/base/text.hpp"
#include "sim/condor/log/scan.hpp"

namespace gridcast::import {
namespace {

namespace scan = condor::scan;
using condor::eat_fraction, condor::eat_offset, scan::digits;

/// Milliseconds since 1970 of the day.
std::optional<std::int64_t> eat_day(std::string_view& rest) {
  auto const year = digits(rest, 4);
  std::string_view const between = rest.starts_with("-") ? "-" : rest.starts_with("/") ? "/" : "";
  scan::eat(rest, between);
  auto const month = digits(rest, 2);
  if (!scan::eat(rest, between)) return std::nullopt;
  auto const day = digits(rest, 2);
  if (!year || !month || !day) return std::nullopt;
  bool const exists =
      (std::chrono::year(*year) / *month / *day).ok() && *year >= 1970 && *year < 9999;
  if (!exists) return std::nullopt;
  return condor::midnight_ms(*year, *month, *day);
}

/// Milliseconds since midnight; seconds may be left out.
std::optional<std::int64_t> eat_time_of_day(std::string_view& rest) {
  auto const hour = digits(rest, 2);
  bool const extended = scan::eat(rest, ":");
  auto const minute = digits(rest, 2);
  if (!hour || !minute) return std::nullopt;
  int second = 0;
  bool const more = extended ? scan::eat(rest, ":") : !rest.empty() && is_digit(rest.front());
  if (more) {
    auto const digits_read = digits(rest, 2);
    if (!digits_read) return std::nullopt;
    second = *digits_read;
  }
  auto const time = condor::ms_of_day(*hour, *minute, second);
  return time ? std::optional(*time + eat_fraction(rest)) : std::nullopt;
}

std::optional<WrittenTime> parse_date(std::string_view text) {
  auto const day = eat_day(text);
  if (!day) return std::nullopt;
  WrittenTime time;
  time.kind = WrittenTime::Kind::local;
  time.ms = *day;
  if (!text.empty()) {
    if (!scan::eat(text, "T") && !scan::eat(text, "t") && !scan::eat(text, " ")) {
      return std::nullopt;
    }
    auto const of_day = eat_time_of_day(text);
    if (!of_day) return std::nullopt;
    time.ms += *of_day;
  }
  if (text.empty()) return time;
  scan::skip_blanks(text);
  auto const offset = eat_offset(text);
  if (!offset || !text.empty()) return std::nullopt;
  time.kind = WrittenTime::Kind::zoned;
  time.ms -= *offset;
  return time;
}

std::optional<int> eat_number(std::string_view& rest, std::size_t most_digits) {
  std::size_t const end = std::min(rest.find_first_not_of("0123456789"), rest.size());
  return end > 0 && end <= most_digits ? digits(rest, end) : std::nullopt;
}

/// Hours that a clock of twice twelve has behind those that are written; none: no such word.
std::optional<int> eat_half_of_day(std::string_view& rest, int hour) {
  scan::skip_blanks(rest);
  if (rest.empty()) return 0;
  bool const before_noon = same_ignoring_case(rest, "AM");
  if ((!before_noon && !same_ignoring_case(rest, "PM")) || hour < 1 || hour > 12) return {};
  rest = {};
  if (before_noon) return hour == 12 ? -12 : 0;
  return hour == 12 ? 0 : 12;
}

/// "1/27/2025 2:51", with seconds, AM and PM where it has them.
std::optional<WrittenTime> parse_slashed_date(std::string_view text) {
  auto const month = eat_number(text, 2);
  if (!month || !scan::eat(text, "/")) return std::nullopt;
  auto const day = eat_number(text, 2);
  if (!day || !scan::eat(text, "/")) return std::nullopt;
  auto const year = digits(text, 4);
  if (!year || *year < 1970 || !(std::chrono::year(*year) / *month / *day).ok()) return {};
  WrittenTime time{
      .kind = WrittenTime::Kind::local, .order_assumed = true, .order_shown = *day > 12};
  time.ms = condor::midnight_ms(*year, *month, *day);
  if (text.empty()) return time;
  scan::skip_blanks(text);
  auto const hour = eat_number(text, 2);
  if (!hour || !scan::eat(text, ":")) return std::nullopt;
  auto const minute = digits(text, 2);
  auto const second = scan::eat(text, ":") ? digits(text, 2) : std::optional(0);
  if (!minute || !second) return std::nullopt;
  auto const since_midnight = condor::ms_of_day(*hour, *minute, *second);
  if (!since_midnight) return std::nullopt;
  time.ms += *since_midnight + eat_fraction(text);
  auto const more = eat_half_of_day(text, *hour);
  if (!more) return std::nullopt;
  time.ms += *more * std::int64_t{3'600'000};
  return time;
}

/// By strptime, with the offset of %z.
std::optional<WrittenTime> parse_formatted(std::string const& text, std::string const& format) {
  std::tm parts{};
  parts.tm_mday = 1;
  char const* const end = strptime(text.c_str(), format.c_str(), &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  if (!condor::ms_of_day(parts.tm_hour, parts.tm_min, parts.tm_sec)) return std::nullopt;
  bool const zoned =
      format.find("%z") != std::string::npos || format.find("%s") != std::string::npos;
  long const ahead = parts.tm_gmtoff;
  WrittenTime time{.kind = zoned ? WrittenTime::Kind::zoned : WrittenTime::Kind::local};
  time.ms = (std::int64_t{timegm(&parts)} - (zoned ? ahead : 0)) * 1000;
  return time;
}

// A date of 1973 or later is more than that; no campaign takes three years.
constexpr double first_unix = 1e8, first_unix_ms = 1e11, last_unix_ms = 2.5e14;

std::optional<WrittenTime> parse_number(std::string_view text) {
  auto const number = text_as<double>(text);
  if (!number || !(*number >= 0 && *number <= last_unix_ms)) return std::nullopt;
  double const value = *number;
  WrittenTime time;
  if (value < first_unix) {
    time.kind = WrittenTime::Kind::relative;
    time.since_start = Seconds(value);
  } else {
    time.ms = std::llround(value >= first_unix_ms ? value : value * 1000);
  }
  return time;
}

/// strptime's form of a date like 27/1/2025; none for another text.
std::optional<std::string> day_first_format(std::string_view text) {
  std::string_view rest = trim(text);
  auto const day = eat_number(rest, 2);
  if (!day || *day <= 12 || !scan::eat(rest, "/")) return std::nullopt;
  auto const month = eat_number(rest, 2);
  if (!month || !parse_slashed_date(fmt::format("{}/{}{}", *month, *day, rest))) return {};
  auto const colons = std::ranges::count(rest, ':');
  bool const halves = rest.ends_with('M') || rest.ends_with('m');
  return fmt::format("%d/%m/%Y{}{}{}",
                     colons == 0 ? ""
                     : halves    ? " %I:%M"
                                 : " %H:%M",
                     colons > 1 ? ":%S" : "", halves ? " %p" : "");
}

}  // namespace

std::optional<Seconds> parse_elapsed(std::string_view text) {
  auto const dash = text.find('-');
  bool const has_days = dash != std::string_view::npos;
  auto const days = has_days ? text_as<double>(text.substr(0, dash)) : 0;
  double in_seconds = 0;
  auto const parts = split(text.substr(has_days ? dash + 1 : 0), ':');
  for (std::string const& part : parts) {
    auto const number = text_as<double>(part);
    if (!number || !(*number >= 0)) return std::nullopt;
    in_seconds = 60 * in_seconds + *number;
  }
  constexpr double most = 1e10;  // three hundred years
  if (!days || !(*days >= 0) || parts.size() > 3) return std::nullopt;
  in_seconds += 86400 * *days;
  return in_seconds < most ? std::optional(Seconds(in_seconds)) : std::nullopt;
}

bool stands_for_none(std::string_view text) {
  constexpr std::array words = {"null", "nan",     "nat", "none",      "n/a", "na",    "nil",
                                "-",    "unknown", "--",  "undefined", "-1",  "(null)"};
  constexpr std::array dates = {"1969-12-31", "0000-00-00", "0001-01-01"};
  return std::ranges::any_of(words, [text](auto word) { return same_ignoring_case(text, word); }) ||
         std::ranges::any_of(dates, [text](auto date) { return text.starts_with(date); });
}

bool is_time_format(std::string const& format) {
  std::tm parts{};
  parts.tm_year = 125;
  parts.tm_mday = 27;
  std::array<char, 200> text = {};
  bool const written = std::strftime(text.data(), text.size(), format.c_str(), &parts) > 0;
  return written && parse_formatted(text.data(), format).has_value();
}

bool is_date_in(std::string_view text, std::string const& format) {
  auto const time = parse_formatted(std::string(text), format);
  return time && time->ms > 0;
}

std::optional<WrittenTime> parse_table_time(std::string_view text, std::string const& format) {
  text = trim(text);
  if (!format.empty()) {
    if (auto const time = parse_formatted(std::string(text), format)) return time;
  }
  if (auto const date = parse_slashed_date(text)) return date;
  if (auto const date = parse_date(text)) {
    // "20250827" could be Unix seconds of August 1970 as well, but of no real campaign.
    return date;
  }
  return parse_number(text);
}

std::string iso_time(std::int64_t unix_ms) {
  using namespace std::chrono;
  sys_time<milliseconds> const at{milliseconds(unix_ms)};
  auto const second = floor<seconds>(at);
  std::string text =
      fmt::format("{:%FT%T}", fmt::gmtime(std::time_t{second.time_since_epoch().count()}));
  if (at != second) text += fmt::format(".{:03}", (at - second).count());
  return text + "Z";
}

void TableClock::use_zone(std::string const& time_zone) {
  zone_ = time_zone.empty() ? std::nullopt : condor::TimeZone::named(time_zone);
  if (zone_ || time_zone.empty()) return;
  refuse({}, "time zone \"" + time_zone + "\" is not known here", "",
         "Zones have names like America/Chicago or UTC (package tzdata).");
}

void TableClock::refuse_day_first(std::string_view text, Location where) const {
  auto const format = order_shown_ ? std::nullopt : day_first_format(text);
  if (!format) return;
  throw InputError(
      Problem{std::move(where), fmt::format("'{}' has the day before the month", text),
              "without a form, 1/2/2025 is 2 January",
              fmt::format("Add time_format: '{}' to a column map (gridcast init FILE -o map.yaml "
                          "writes one), and --columns map.yaml.",
                          *format)});
}

std::optional<Seconds> TableClock::read(std::string_view text, std::optional<Seconds> not_before) {
  auto const time = parse(text);
  if (!time) return std::nullopt;
  Kind const kind = time->kind == WrittenTime::Kind::relative ? Kind::relative : Kind::dated;
  if (kind_ != Kind::none && kind != kind_) return std::nullopt;
  kind_ = kind;
  if (kind == Kind::relative) return time->since_start;
  std::int64_t ms = time->ms;
  bool const local = time->kind == WrittenTime::Kind::local;
  order_assumed_ = order_assumed_ || time->order_assumed;
  order_shown_ = order_shown_ || time->order_shown;
  (local ? local_seen_ : zoned_seen_) = true;
  zone_assumed_ = zone_assumed_ || (local && !zone_);
  if (local && zone_) {
    std::int64_t const earliest =
        not_before ? zero_ms_.value_or(0) + std::llround(not_before->value() * 1000)
                   : std::int64_t{0};
    skipped_times_ += zone_->skips(ms) ? 1 : 0;
    ms = zone_->to_unix_ms(ms, earliest);
  }
  if (!zero_ms_) zero_ms_ = ms - (ms % 1000 + 1000) % 1000;
  return Seconds(static_cast<double>(ms - *zero_ms_) / 1000);
}

}  // namespace gridcast::import
