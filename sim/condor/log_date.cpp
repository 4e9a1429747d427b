#include "sim/condor/log_date.hpp"

#include <chrono>

#include "sim/condor/scan.hpp"

namespace gridcast::condor {
namespace {

constexpr std::int64_t ms_a_day = 86'400'000;

// Exactly `digits` digits, or -1.
int fixed(std::string_view& rest, std::size_t digits) {
  if (rest.size() < digits) return -1;
  int value = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    if (!scan::is_digit(rest[i])) return -1;
    value = 10 * value + (rest[i] - '0');
  }
  rest.remove_prefix(digits);
  return value;
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

// Milliseconds of ".mmm", to which more digits add nothing.
int eat_fraction(std::string_view& rest) {
  if (rest.size() < 2 || rest[0] != '.' || !scan::is_digit(rest[1])) return 0;
  rest.remove_prefix(1);
  int ms = 0;
  for (int weight = 100, i = 0; i < 9 && !rest.empty() && scan::is_digit(rest[0]); ++i) {
    ms += weight * (rest[0] - '0');
    weight /= 10;
    rest.remove_prefix(1);
  }
  return ms;
}

}  // namespace

std::int64_t days_from_civil(std::int64_t year, unsigned month, unsigned day) {
  using namespace std::chrono;
  return sys_days(std::chrono::year(static_cast<int>(year)) / static_cast<int>(month) /
                  static_cast<int>(day))
      .time_since_epoch()
      .count();
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
  if (hour < 0 || hour > 24 || minute < 0 || minute > 59 || second < 0 || second > 60) {
    return std::nullopt;
  }
  LogDate date;
  date.year_known = day.year_known;
  std::int64_t const days =
      days_from_civil(day.year, static_cast<unsigned>(day.month), static_cast<unsigned>(day.day));
  date.ms = days * ms_a_day + ((hour * 60 + minute) * 60 + second) * std::int64_t{1000};
  date.ms += eat_fraction(rest);
  date.utc = scan::eat(rest, "Z");
  return date;
}

std::int64_t in_year(std::int64_t ms_of_1972, std::int64_t year) {
  std::int64_t const since = ms_of_1972 - days_from_civil(1972, 1, 1) * ms_a_day;
  std::int64_t days = since / ms_a_day;  // 59 is 29 February
  bool const leap = std::chrono::year(static_cast<int>(year)).is_leap();
  if (!leap && days > 59) --days;
  return (days_from_civil(year, 1, 1) + days) * ms_a_day + since % ms_a_day;
}

std::int64_t year_of(std::int64_t ms) {
  using namespace std::chrono;
  auto const day = floor<days>(sys_time<milliseconds>(milliseconds(ms)));
  return static_cast<int>(year_month_day(day).year());
}

}  // namespace gridcast::condor
