#include "sim/condor/log/log_clock.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>

#include <date/tz.h>
#include <fmt/format.h>

#include "sim/condor/log/log_note.hpp"
#include "sim/condor/log/scan.hpp"

namespace gridcast::condor {
namespace {

// Several processes write about one job, minutes late at most.
constexpr std::int64_t least_step_ms = 300'000;
constexpr int few_events = 3;  // of wrong dates

/// True for leaps of about one size, in opposite directions.
bool undoes(std::int64_t back_ms, std::int64_t forward_ms) {
  return 10 * back_ms >= 9 * forward_ms;
}

constexpr std::int64_t day_ms = 86'400'000;
constexpr std::int64_t hour_ms = 3'600'000;

// Exactly so many digits, or -1.
int fixed(std::string_view& rest, std::size_t count) {
  return scan::digits(rest, count).value_or(-1);
}

struct Day {
  int year = 1972, month = 0, day = 0;
  bool year_known = false;
};

bool eat_day(std::string_view& rest, Day& found) {
  found.year_known = rest.size() > 4 && rest[4] == '-';
  if (found.year_known) {
    found.year = fixed(rest, 4);
    if (!scan::eat(rest, "-")) return false;
  }
  found.month = fixed(rest, 2);
  if (!scan::eat(rest, found.year_known ? "-" : "/")) return false;
  found.day = fixed(rest, 2);
  using namespace std::chrono;
  return found.year >= 0 && found.month > 0 && found.day > 0 &&
         (year(found.year) / found.month / found.day).ok();
}

// Local time minus UTC.
std::int64_t offset_at(::date::time_zone const& zone, std::int64_t unix_s) {
  return zone.get_info(::date::sys_seconds{std::chrono::seconds(unix_s)}).offset.count();
}

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

/// Local time minus UTC of a zone that exists: whole hours, and some between them.
bool is_offset_of_zone(std::int64_t offset_s) {
  constexpr std::int64_t minutes[] = {-570, -270, -210, -150, 210, 270, 330, 345,
                                      390,  525,  570,  630,  690, 765, 825};
  std::int64_t const whole = offset_s / 60;
  bool const hours = whole % 60 == 0 && whole >= -12 * 60 && whole <= 14 * 60;
  return hours || contains(minutes, whole);
}

/// "Job terminated of its own accord at" is UTC, and a few seconds before the event is written.
/// None if the event is later than that in any zone.
std::optional<std::int64_t> offset_by_end(std::int64_t local_s, std::int64_t ended_unix) {
  constexpr std::int64_t quarter = 900, late = 300;
  std::int64_t const difference = local_s - ended_unix;
  if (std::abs(difference) > 15 * 3600) return std::nullopt;
  auto const quarters = static_cast<std::int64_t>(
      std::floor(static_cast<double>(difference) / static_cast<double>(quarter)));
  if (difference - quarters * quarter > late) return std::nullopt;
  return is_offset_of_zone(quarters * quarter) ? std::optional(quarters * quarter) : std::nullopt;
}

/// In the zone in which the event is least late.
std::optional<std::int64_t> nearest_offset(std::int64_t local_s, std::int64_t ended_unix) {
  constexpr std::int64_t quarter = 900, widest = 15 * 3600;
  std::int64_t const difference = local_s - ended_unix;
  if (std::abs(difference) > widest) return std::nullopt;
  std::int64_t offset = (difference + 2 * widest) / quarter * quarter - 2 * widest;
  while (!is_offset_of_zone(offset) && offset > -widest) offset -= quarter;
  return is_offset_of_zone(offset) ? std::optional(offset) : std::nullopt;
}

/// By most of the jobs' ends in a text whose dates have years; the first of as many.
std::optional<std::int64_t> offset_in(std::string_view text) {
  std::map<std::int64_t, int> votes;
  std::optional<std::int64_t> best;
  for (auto at = text.find("\n005 ("); at != std::string_view::npos;
       at = text.find("\n005 (", at + 1)) {
    std::string_view rest = text.substr(at, text.find("\n...", at + 1) - at);
    auto const ended = end_of_a_job(rest);
    rest.remove_prefix(std::min(rest.find(") "), rest.size() - 2) + 2);
    auto const logged = eat_log_date(rest);
    if (!ended || !logged || !logged->year_known || logged->utc) continue;
    auto const offset = offset_by_end(logged->ms / 1000, *ended / 1000);
    if (offset && ++votes[*offset] > (best ? votes[*best] : 0)) best = offset;
  }
  return best;
}

/// The first date with a year that a log contains whose own dates have none.
struct DatedEvent {
  std::int64_t ms = 0;
  std::string_view from;
};

std::optional<DatedEvent> dated_event(std::string_view text) {
  constexpr std::string_view of_ad = "\nEventTime = \"";  // in an event 028
  auto const at = text.find(of_ad);
  auto const ended = end_of_a_job(text.substr(0, at));
  if (ended) return DatedEvent{*ended, "a job's end, which has one"};
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + of_ad.size());
  auto const date = eat_log_date(text);
  if (date && date->year_known) return DatedEvent{date->ms, "EventTime of an event 028"};
  auto const later = end_of_a_job(text);
  if (!later) return std::nullopt;
  return DatedEvent{*later, "a job's end, which has one"};
}

bool is_leap_day(std::int64_t ms_of_1972) {
  return ms_of_1972 / day_ms == midnight_ms(1972, 2, 29) / day_ms;
}

bool is_leap(std::int64_t year) { return std::chrono::year(static_cast<int>(year)).is_leap(); }

// How many years after the first event's there is a 29 February among the text's dates without a
// year.
std::optional<int> years_to_leap_day(std::string_view text) {
  int years = 0;
  std::optional<std::int64_t> last;
  for (; !text.empty(); text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1)) {
    auto const behind_job = text.find(") ");
    if (!is_digit(text.front()) || behind_job > text.find('\n')) continue;
    std::string_view rest = text.substr(behind_job + 2);
    auto const date = eat_log_date(rest);
    if (!date) continue;
    if (date->year_known) return std::nullopt;
    if (last && date->ms < *last - 183 * day_ms) ++years;
    if (is_leap_day(date->ms)) return years;
    last = date->ms;
  }
  return std::nullopt;
}

/// The one that this date may be in: the last Sunday of October (Europe) or the first of November
/// (North America), each before the hour from which on no zone there has it.
std::optional<RepeatedHour> repeated_hour(std::int64_t local_ms) {
  using namespace std::chrono;
  auto const day = floor<std::chrono::days>(sys_time<milliseconds>(milliseconds(local_ms)));
  std::int64_t const time_of_day = local_ms - day.time_since_epoch().count() * day_ms;
  auto const hour = time_of_day / hour_ms;
  year const of = year_month_day(day).year();
  year const next = of + years(1);
  std::optional<sys_days> forward;
  if (day == sys_days(of / October / Sunday[last]) && hour < 4) {
    forward = sys_days(next / March / Sunday[last]);
  } else if (day == sys_days(of / November / Sunday[1]) && hour < 2) {
    forward = sys_days(next / March / Sunday[2]);
  }
  if (!forward) return std::nullopt;
  return RepeatedHour{local_ms - time_of_day % hour_ms,
                      forward->time_since_epoch().count() * day_ms + hour * hour_ms};
}

}  // namespace

// Notices leaps, and whether the clock returned from one.
void ClockSteps::follow(std::int64_t at_ms) {
  std::int64_t const leap = date_ms_ ? at_ms - *date_ms_ : 0;
  ++since_leap_;
  if (leap > least_step_ms) {
    if (ahead_ms_ > 0 && undoes(leap, ahead_ms_) && at_ms >= latest_ms_) ahead_ms_ = 0;
    leap_ms_ = leap;
    before_leap_ms_ = latest_ms_;
    since_leap_ = 0;
  } else if (-leap > least_step_ms && since_leap_ <= few_events && leap_ms_ > 0 &&
             undoes(-leap, leap_ms_)) {
    latest_ms_ = before_leap_ms_;
  }
}

ClockSteps::Time ClockSteps::next(std::int64_t at_ms, std::optional<std::int64_t> job_ms) {
  follow(at_ms);
  Time time{at_ms + ahead_ms_, 0};
  bool const job_went_back = job_ms && time.at_ms < *job_ms - least_step_ms;
  std::int64_t const step = latest_ms_ - time.at_ms;
  if (job_went_back && step > least_step_ms) {
    ahead_ms_ += step;
    time = {latest_ms_, step};
  }
  latest_ms_ = date_ms_ ? std::max(latest_ms_, time.at_ms) : time.at_ms;
  date_ms_ = at_ms;
  return time;
}

std::int64_t midnight_ms(int year, int month, int day) {
  using namespace std::chrono;
  sys_time<milliseconds> const midnight = sys_days(std::chrono::year(year) / month / day);
  return midnight.time_since_epoch().count();
}

std::optional<LogDate> eat_log_date(std::string_view& rest) {
  Day day;
  if (!eat_day(rest, day)) return std::nullopt;
  if (!scan::eat(rest, " ") && !scan::eat(rest, "T")) return std::nullopt;
  int const hour = fixed(rest, 2);
  if (!scan::eat(rest, ":")) return std::nullopt;
  int const minute = fixed(rest, 2);
  if (!scan::eat(rest, ":")) return std::nullopt;
  int const second = fixed(rest, 2);
  auto const time = ms_of_day(hour, minute, second);
  if (!time) return std::nullopt;
  LogDate date;
  date.year_known = day.year_known;
  date.ms = midnight_ms(day.year, day.month, day.day) + *time + eat_fraction(rest);
  auto const offset = eat_offset(rest);
  date.ms -= offset.value_or(0);
  date.utc = offset.has_value();
  return date;
}

std::optional<std::int64_t> ms_of_day(int hour, int minute, int second) {
  bool const ends_day = hour == 24 && minute == 0 && second == 0;
  bool const leap = second == 60 && minute % 15 == 14;
  bool const exists = hour >= 0 && minute >= 0 && second >= 0 && minute <= 59 &&
                      (hour <= 23 || ends_day) && (second <= 59 || leap);
  if (!exists) return std::nullopt;
  return ((hour * 60 + minute) * 60 + second) * std::int64_t{1000};
}

std::int64_t eat_fraction(std::string_view& rest) {
  bool const there = rest.size() > 1 && (rest[0] == '.' || rest[0] == ',') && is_digit(rest[1]);
  if (!there) return 0;
  rest.remove_prefix(1);
  std::int64_t ms = 0;
  for (int weight = 100; !rest.empty() && is_digit(rest[0]); weight /= 10) {
    ms += weight * (rest[0] - '0');
    rest.remove_prefix(1);
  }
  return ms;
}

std::optional<std::int64_t> eat_offset(std::string_view& rest) {
  if (scan::eat(rest, "Z") || scan::eat(rest, "UTC")) return 0;
  std::string_view after = rest;
  bool const west = scan::eat(after, "-");
  if (!west && !scan::eat(after, "+")) return std::nullopt;
  auto hour = scan::digits(after, 2);
  if (!hour) hour = scan::digits(after, 1);
  std::string_view behind_hour = after;
  scan::eat(behind_hour, ":");
  auto const minute = scan::digits(behind_hour, 2);
  if (minute) after = behind_hour;
  if (!hour || *hour > 15 || minute.value_or(0) > 59) return std::nullopt;
  rest = after;
  std::int64_t const ahead = (*hour * 60 + minute.value_or(0)) * std::int64_t{60'000};
  return west ? -ahead : ahead;
}

std::string offset_text(std::int64_t offset_s) {
  std::int64_t const minutes = std::abs(offset_s) / 60;
  return fmt::format("UTC{}{:02}:{:02}", offset_s < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

// Zones differ by quarters of an hour, by 14 h + 12 h at most; two daemons' stamps by a second or
// two.
bool same_in_some_zone(std::int64_t a_ms, std::int64_t b_ms) {
  constexpr std::int64_t quarter = 900'000, widest = 26 * hour_ms;
  std::int64_t const apart = std::abs(a_ms - b_ms), rest = apart % quarter;
  return apart <= widest + unremarkable_ms &&
         (rest <= unremarkable_ms || quarter - rest <= unremarkable_ms);
}

std::int64_t in_year(std::int64_t ms_of_1972, std::int64_t year) {
  std::int64_t const since = ms_of_1972 - midnight_ms(1972, 1, 1);
  std::int64_t days = since / day_ms;  // 59 is 29 February
  bool const leap = std::chrono::year(static_cast<int>(year)).is_leap();
  if (!leap && days > 59) --days;
  return midnight_ms(static_cast<int>(year), 1, 1) + days * day_ms + since % day_ms;
}

std::int64_t year_of(std::int64_t ms) {
  using namespace std::chrono;
  auto const day = floor<std::chrono::days>(sys_time<milliseconds>(milliseconds(ms)));
  return static_cast<int>(year_month_day(day).year());
}

std::optional<TimeZone> TimeZone::named(std::string const& name) {
  if (name == "UTC") return TimeZone([](std::int64_t) { return std::int64_t{0}; });
  try {
    ::date::time_zone const* const zone = ::date::locate_zone(name);
    offset_at(*zone, 0);  // reads its table
    return TimeZone([zone](std::int64_t unix_s) { return offset_at(*zone, unix_s); });
  } catch (std::exception const&) {  // no such zone, no time zones at all, a damaged file
    return std::nullopt;
  }
}

std::int64_t TimeZone::to_unix_ms(std::int64_t local_ms, std::int64_t not_before_ms) const {
  // The offset in force a day before and a day after: the hours around a change have one of them.
  std::int64_t const local_s = local_ms / 1000;
  std::int64_t const early = offset_at_(local_s - 86400), late = offset_at_(local_s + 86400);
  std::int64_t const first = local_ms - early * 1000, second = local_ms - late * 1000;
  bool const first_is = offset_at_(first / 1000) == early;
  bool const second_is = offset_at_(second / 1000) == late;
  if (first_is && second_is) return first >= not_before_ms ? first : second;
  return second_is ? second : first;
}

bool TimeZone::skips(std::int64_t local_ms) const {
  std::int64_t const unix_s = to_unix_ms(local_ms, 0) / 1000;
  return unix_s + offset_at_(unix_s) != local_ms / 1000;
}

bool RepeatedHour::holds(std::int64_t local_ms) const {
  return local_ms >= begin_ms && local_ms < begin_ms + hour_ms;
}

LogClock::LogClock(ReadLogOptions const& options, LogWarnings& warnings)
    : options_(options), warnings_(warnings) {
  if (options.time_zone.empty()) return;
  zone_ = TimeZone::named(options.time_zone);
  if (!zone_) {
    refuse({}, "time zone \"" + options.time_zone + "\" is not known here", "",
           "Zones have names like America/Chicago or UTC (package tzdata)");
  }
}

std::size_t LogClock::read(
    File const& file, std::function<void(RawEvent const& event, std::int64_t at_ms)> const& use) {
  begin_file(file.window.text(), file.changed_unix);
  auto const events = open_events(file.form, file.window, warnings_);
  RawEvent event;
  while (events->next(event)) {
    std::int64_t const at_ms = time_of(event);
    event.ended_ms = program_end(event, at_ms);
    use(event, at_ms);
  }
  return events->lines();
}

void LogClock::begin_file(std::string_view beginning, std::optional<std::int64_t> changed_unix) {
  first_in_file_ = true;
  if (!likely_offset_s_) likely_offset_s_ = offset_in(beginning);
  years_to_leap_day_ = years_to_leap_day(beginning);
  auto const dated = dated_event(beginning);
  anchor_need_ = dated ? Need::none : Need::action;
  if (dated) {
    anchor_ms_ = dated->ms;
    anchor_from_ = dated->from;
    return;
  }
  anchor_ms_ = last_ms_;
  anchor_from_ = "the file before";
  if (anchor_ms_ || !changed_unix) return;
  anchor_ms_ = *changed_unix * 1000;
  anchor_from_ = "when the file was last changed";
}

std::int64_t LogClock::with_year(RawEvent const& event) {
  std::int64_t const local = in_its_year(event);
  if (is_leap_day(event.at_ms) && !is_leap(year_of(local))) {
    warnings_.add(
        fmt::format("02/29 is taken as 1 March {}, a year that has no 29 February (--year)",
                    year_of(local)),
        event.line);
  }
  return local;
}

std::int64_t LogClock::in_its_year(RawEvent const& event) {
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
  while (years_to_leap_day_ && !is_leap(year + *years_to_leap_day_)) --year;
  warnings_.add(fmt::format("dates without a year are taken to begin in {}, by {} (--year sets it)",
                            year, anchor_from_),
                event.line, anchor_need_);
  return in_year(event.at_ms, year);
}

// So long as the ends agree, all dates have one offset. Where they differ, the dates behind are as
// if the clock had not been set, as no end shows when it was.
void LogClock::report_change(std::int64_t offset_s, std::size_t line) {
  if (offset_changes_) return;
  offset_changes_ = true;
  warnings_.add(
      fmt::format("by its jobs' ends the log's local time is {} here and was {} before; all "
                  "its dates are taken as the latter; times over the change are "
                  "wrong by the difference (--tz ZONE knows when clocks are set)",
                  offset_text(offset_s), offset_text(*offset_s_)),
      line);
}

void LogClock::compare_with_utc(RawEvent const& event, std::int64_t local_ms) {
  if (!event.ended_unix) return;
  ++ends_;
  auto const offset = offset_by_end(local_ms / 1000, *event.ended_unix);
  if (!offset) return;
  ++punctual_ends_;
  if (!offset_s_) offset_s_ = offset;
  // Another one is daylight saving time, or an event that was logged late.
  constexpr std::int64_t hour_s = 3600;
  if (std::abs(*offset - *offset_s_) == hour_s) report_change(*offset, event.line);
}

std::optional<std::int64_t> LogClock::program_end(RawEvent const& event, std::int64_t at_ms) const {
  if (!event.ended_unix) return std::nullopt;
  if (event.utc || zone_) return *event.ended_unix * 1000;
  auto offset = offset_s_ ? offset_s_ : likely_offset_s_;
  if (!offset) offset = nearest_offset(at_ms / 1000, *event.ended_unix);
  return offset ? std::optional((*event.ended_unix + *offset) * 1000) : std::nullopt;
}

std::int64_t LogClock::assumed_offset_s() {
  if (!zone_assumed_) return 0;
  warnings_.in_file("");
  bool const agree = 10 * punctual_ends_ >= 9 * ends_;
  if (!offset_s_ || !agree) {
    warnings_.add(
        fmt::format("the log does not contain its time zone{}; its dates are taken as UTC (--tz)",
                    offset_s_ ? fmt::format(", and {} of {} ends of jobs were logged late",
                                            ends_ - punctual_ends_, ends_)
                              : std::string()),
        0);
    return 0;
  }
  warnings_.add(
      fmt::format("the log does not contain its time zone, which is {} by its jobs' ends{} (--tz)",
                  offset_text(*offset_s_), offset_changes_ ? ", though not by all" : ""),
      0, Need::none);
  return *offset_s_;
}

std::int64_t LogClock::offset_by_zone_s() const {
  return zone_ && last_ms_ ? (*last_local_ms_ - *last_ms_) / 1000 : 0;
}

// A step back over two dates of one such hour can be nothing else; without one nothing shows which
// of the two an hour is.
std::int64_t LogClock::since_set_back_ms(std::int64_t local_ms, std::size_t line) {
  bool const steps_back =
      last_local_ms_ && !first_in_file_ && local_ms < *last_local_ms_ - unremarkable_ms;
  auto const hour = steps_back ? repeated_hour(local_ms) : std::nullopt;
  if (!repeated_ && hour && hour->holds(*last_local_ms_)) {
    repeated_ = hour;
    warnings_.add(
        "the clock was set back by an hour, as in the night in which daylight saving time ends: "
        "dates from here on are taken as an hour later (--tz ZONE sets another zone)",
        line);
  }
  if (!repeated_ || local_ms < repeated_->begin_ms) {
    second_time_ = false;
    return 0;
  }
  if (!repeated_->holds(local_ms)) return local_ms < repeated_->until_ms ? hour_ms : 0;
  if (steps_back && repeated_->holds(*last_local_ms_)) second_time_ = true;
  return second_time_ ? hour_ms : 0;
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
    at += since_set_back_ms(local, event.line);
    compare_with_utc(event, at);
  }
  if (zone_assumed_ && utc_seen_) {
    warnings_.add("some dates are UTC and others are not; --tz ZONE sets the zone of those",
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
