#include "sim/condor/log_clock.hpp"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "sim/condor/log_date.hpp"

namespace gridcast::condor {
namespace {

constexpr std::int64_t day_ms = 86'400'000;
constexpr std::int64_t unremarkable_ms = 2000;  // between the stamps of two processes

// "Job terminated of its own accord at 2026-11-21T05:25:13Z": when the text's first job ended.
std::optional<std::int64_t> end_of_a_job(std::string_view text) {
  constexpr std::string_view words = "\tJob terminated of its own accord at ";
  auto const at = text.find(words);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + words.size());
  auto const date = eat_log_date(text);
  if (!date || !date->year_known) return std::nullopt;
  return date->ms;
}

}  // namespace

LogClock::LogClock(ReadLogOptions const& options, LogWarnings& warnings)
    : options_(options), warnings_(warnings) {
  if (options.time_zone.empty()) return;
  zone_ = TimeZone::named(options.time_zone);
  if (!zone_) {
    throw InputError({{},
                      "time zone \"" + options.time_zone + "\" is not known here",
                      "",
                      "Zones have names like America/Chicago or UTC (package tzdata)"});
  }
}

void LogClock::begin_file(std::string_view beginning, std::optional<std::int64_t> changed_unix) {
  first_in_file_ = true;
  anchor_ms_ = end_of_a_job(beginning);
  anchor_from_ = "a job's end, which has one";
  if (anchor_ms_) return;
  anchor_ms_ = last_ms_;
  anchor_from_ = "the file before";
  if (anchor_ms_ || !changed_unix) return;
  anchor_ms_ = *changed_unix * 1000;
  anchor_from_ = "when the file was last changed";
}

std::int64_t LogClock::with_year(RawEvent const& event) {
  if (last_local_ms_ && !first_in_file_) {
    std::int64_t const year = year_of(*last_local_ms_);
    std::int64_t nearest = in_year(event.at_ms, year);
    for (std::int64_t other : {year - 1, year + 1}) {
      std::int64_t const candidate = in_year(event.at_ms, other);
      if (std::abs(candidate - *last_local_ms_) < std::abs(nearest - *last_local_ms_)) {
        nearest = candidate;
      }
    }
    return nearest;
  }
  if (options_.year) return in_year(event.at_ms, *options_.year);
  std::int64_t const anchor = anchor_ms_.value_or(0);
  std::int64_t year = year_of(anchor);
  // A file behind another may begin a little before the other's end, but not by months.
  std::int64_t const margin = anchor_from_ == "the file before" ? 183 * day_ms : 2 * day_ms;
  if (in_year(event.at_ms, year) > anchor + margin) --year;
  if (in_year(event.at_ms, year) < anchor - 364 * day_ms) ++year;
  warnings_.add(fmt::format("dates without a year are taken to begin in {}, by {} (--year sets it)",
                            year, anchor_from_),
                event.line);
  return in_year(event.at_ms, year);
}

// "Job terminated of its own accord at" is UTC, and a few seconds before the event is written.
// Zones differ by quarters of an hour.
void LogClock::compare_with_utc(RawEvent const& event, std::int64_t local_ms) {
  if (!event.ended_unix) return;
  constexpr std::int64_t quarter = 900, late = 300;
  std::int64_t const difference = local_ms / 1000 - *event.ended_unix;
  if (std::abs(difference) > 15 * 3600) return;
  auto const quarters = static_cast<std::int64_t>(
      std::floor(static_cast<double>(difference) / static_cast<double>(quarter)));
  if (difference - quarters * quarter > late) return;
  offset_changes_ = offset_changes_ || (offset_s_ && *offset_s_ != quarters * quarter);
  if (!offset_s_) offset_s_ = quarters * quarter;
}

std::int64_t LogClock::assumed_offset_s() {
  if (!zone_assumed_) return 0;
  warnings_.in_file("");
  if (!offset_s_) {
    warnings_.add("the log does not tell its time zone; its dates are taken as UTC (--tz)", 0);
    return 0;
  }
  std::int64_t const minutes = std::abs(*offset_s_) / 60;
  warnings_.add(
      fmt::format(
          "the log does not tell its time zone, which is UTC{}{:02}:{:02} by its jobs' ends{} "
          "(--tz)",
          *offset_s_ < 0 ? '-' : '+', minutes / 60, minutes % 60,
          offset_changes_ ? ", though not by all" : ""),
      0);
  return *offset_s_;
}

std::int64_t LogClock::time_of(RawEvent const& event) {
  std::int64_t const local = event.year_known ? event.at_ms : with_year(event);
  std::int64_t at = local;
  if (event.utc) {
    utc_seen_ = true;
  } else if (zone_) {
    at = zone_->to_unix_ms(local, last_ms_.value_or(local) - 60'000);
  } else {
    zone_assumed_ = true;
    compare_with_utc(event, local);
  }
  if (zone_assumed_ && utc_seen_) {
    warnings_.add("some dates are UTC and others are not; --tz ZONE tells which zone those are of",
                  event.line);
    utc_seen_ = false;
  }
  if (last_ms_ && !first_in_file_ && at < *last_ms_ - unremarkable_ms) {
    warnings_.add("the clock went back (--tz ZONE knows of daylight saving time)", event.line);
  }
  first_in_file_ = false;
  last_local_ms_ = local;
  last_ms_ = at;
  return at;
}

}  // namespace gridcast::condor
