#include "sim/condor/log_date.hpp"

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

TEST_CASE("What is no date") {
  for (std::string_view const text :
       {"2025-13-41 00:06:00", "2025-02-29 00:00:00", "2026-11-21", "2026-11-21 5:17:29",
        "2026-11-21 25:00:00", "2026-11-21 00:60:00", "1/2 00:00:00", "13/01 00:00:00", "", "2",
        "2026-11-21x00:00:00", "-026-11-21 00:00:00"}) {
    CAPTURE(text);
    CHECK_FALSE(parse(text));
  }
}

}  // namespace gridcast::test
