
#include "sim/condor/log/log_clock.hpp"

#include <cstdlib>

#include "tests/test.hpp"

namespace gridcast::test {
namespace {

std::optional<condor::LogDate> parse(std::string_view text, std::string_view left = "") {
  auto const date = condor::eat_log_date(text);
  if (date) CHECK(text == left);
  return date;
}

}  // namespace

TEST_CASE("ISO dates, with parts of a second and UTC") {
  // 2026-11-21 05:17:29 UTC is 1795238249 (date -u +%s).
  CHECK(parse("2026-11-21 05:17:29 Job", " Job")->ms == 1795238249000);
  CHECK(parse("2026-11-21T05:17:29")->ms == 1795238249000);
  CHECK(parse("2026-11-21 05:17:29.123")->ms == 1795238249123);
  CHECK(parse("2026-11-21T05:17:29.123456Z")->ms == 1795238249123);
  CHECK(parse("2026-11-21T05:17:29.5Z")->ms == 1795238249500);
  CHECK(parse("2026-11-21 05:17:29Z")->utc);
  CHECK_FALSE(parse("2026-11-21 05:17:29")->utc);
  CHECK(parse("1969-12-31 23:59:59")->ms == -1000);
}

TEST_CASE("Dates with an offset from UTC") {
  CHECK(parse("2026-11-20 23:17:29-06:00 Job", " Job")->ms == 1795238249000);
  CHECK(parse("2026-11-21T10:47:29.123+0530")->ms == 1795238249123);
  CHECK(parse("2026-11-21T06:17:29+01")->ms == 1795238249000);
  CHECK(parse("2026-11-21T06:17:29+01")->utc);
  CHECK(parse("2026-11-20 23:17:29-6 Job", " Job")->ms == 1795238249000);
  CHECK_FALSE(parse("2026-11-21 05:17:29-x", "-x")->utc);
}

TEST_CASE("Legacy dates have no year") {
  auto const date = parse("11/21 05:17:29");
  REQUIRE(date);
  CHECK_FALSE(date->year_known);
  CHECK(condor::in_year(date->ms, 2026) == 1795238249000);
  CHECK(condor::year_of(condor::in_year(date->ms, 2026)) == 2026);
  CHECK(condor::in_year(parse("02/29 00:00:00")->ms, 2024) == parse("2024-02-29 00:00:00")->ms);
  CHECK(condor::in_year(parse("02/29 00:00:00")->ms, 2025) == parse("2025-03-01 00:00:00")->ms);
  CHECK(condor::in_year(parse("12/31 00:00:00")->ms, 2025) == parse("2025-12-31 00:00:00")->ms);
}

TEST_CASE("A day ends at 24:00:00, and a leap second ends an hour") {
  CHECK(parse("2026-11-20 24:00:00")->ms == parse("2026-11-21 00:00:00")->ms);
  CHECK(parse("2016-12-31 23:59:60")->ms == parse("2017-01-01 00:00:00")->ms);
  CHECK(parse("2017-01-01 05:29:60").has_value());  // in India
}

TEST_CASE("Texts that are no dates are refused") {
  for (std::string_view const text :
       {"2025-13-41 00:06:00", "2025-02-29 00:00:00", "2026-11-21", "2026-11-21 5:17:29",
        "2026-11-21 25:00:00", "2026-11-21 00:60:00", "1/2 00:00:00", "13/01 00:00:00", "", "2",
        "2026-11-21 24:30:00", "2026-11-21 01:00:60", "2026-11-21x00:00:00",
        "-026-11-21 00:00:00"}) {
    CAPTURE(text);
    CHECK_FALSE(parse(text));
  }
}

namespace {

std::int64_t at(std::string_view text) { return condor::eat_log_date(text)->ms; }

constexpr std::int64_t hour = 3'600'000;

}  // namespace

TEST_CASE("Local time of a zone, in winter and summer") {
  auto const chicago = condor::TimeZone::named("America/Chicago");
  REQUIRE(chicago);
  CHECK(chicago->to_unix_ms(at("2025-01-15 12:00:00"), 0) == at("2025-01-15 18:00:00"));
  CHECK(chicago->to_unix_ms(at("2025-07-15 12:00:00"), 0) == at("2025-07-15 17:00:00"));
  auto const kolkata = condor::TimeZone::named("Asia/Kolkata");
  REQUIRE(kolkata);
  CHECK(kolkata->to_unix_ms(at("2025-01-15 12:00:00"), 0) == at("2025-01-15 06:30:00"));
}

TEST_CASE("The hour that a day has twice goes on from the event before") {
  auto const chicago = condor::TimeZone::named("America/Chicago");
  REQUIRE(chicago);
  // On 2 November 2025 the clock went from 2:00 CDT back to 1:00 CST.
  std::int64_t const local = at("2025-11-02 01:30:00");
  std::int64_t const first = at("2025-11-02 06:30:00");
  CHECK(chicago->to_unix_ms(local, first - hour) == first);
  CHECK(chicago->to_unix_ms(local, first + hour / 4) == first + hour);
  CHECK(chicago->to_unix_ms(at("2025-11-02 00:30:00"), 0) == first - hour);
  CHECK(chicago->to_unix_ms(at("2025-11-02 02:30:00"), 0) == first + 2 * hour);
}

TEST_CASE("The hour that a day lacks") {
  auto const berlin = condor::TimeZone::named("Europe/Berlin");
  REQUIRE(berlin);
  CHECK(berlin->to_unix_ms(at("2025-03-30 01:59:59"), 0) == at("2025-03-30 00:59:59"));
  CHECK(berlin->to_unix_ms(at("2025-03-30 02:30:00"), 0) == at("2025-03-30 01:30:00"));
  CHECK(berlin->to_unix_ms(at("2025-03-30 03:00:00"), 0) == at("2025-03-30 01:00:00"));
}

TEST_CASE("A zone that nobody knows, and the process's own") {
  CHECK_FALSE(condor::TimeZone::named("Mars/Olympus"));
  CHECK_FALSE(condor::TimeZone::named(""));
  CHECK_FALSE(condor::TimeZone::named("../zoneinfo/UTC"));
  CHECK_FALSE(condor::TimeZone::named("Europe"));
  CHECK(condor::TimeZone::named("UTC")->to_unix_ms(12345, 0) == 12345);
  std::string const before = std::getenv("TZ") != nullptr ? std::getenv("TZ") : "";
  CHECK(condor::TimeZone::named("Asia/Tokyo"));
  CHECK((std::getenv("TZ") != nullptr ? std::getenv("TZ") : "") == before);
}

}  // namespace gridcast::test
