#include "sim/condor/time_zone.hpp"

#include <cstdlib>

#include "sim/condor/log_date.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

std::int64_t at(std::string_view text) { return condor::eat_log_date(text)->ms; }

constexpr std::int64_t hour = 3'600'000;

}  // namespace

TEST_CASE("Local time of a zone, in winter and summer") {
  auto const chicago = condor::TimeZone::named("America/Chicago");
  REQUIRE(chicago);
  CHECK(chicago->to_unix_ms(at("2025-01-15 12:00:00"), 0) == at("2025-01-15 18:00:00"));
  CHECK(chicago->to_unix_ms(at("2025-07-15 12:00:00"), 0) == at("2025-07-15 17:00:00"));
  CHECK(chicago->to_unix_ms(at("2060-07-15 12:00:00"), 0) == at("2060-07-15 17:00:00"));
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
