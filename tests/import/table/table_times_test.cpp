#include "sim/import/table/table_times.hpp"

#include "sim/import/table/attempt_table.hpp"
#include "tests/import/made_table.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

TEST_CASE("A time that no clock shows is none, in each form") {
  for (auto const* text : {"2024-05-01 24:30:00", "2024-05-02 01:00:60", "5/1/2024 24:30"}) {
    CHECK_FALSE(parse_table_time(text));
  }
  CHECK_FALSE(parse_table_time("01.05.2024 01:00:60", "%d.%m.%Y %H:%M:%S"));
  CHECK(parse_table_time("2024-05-01 24:00")->ms == parse_table_time("2024-05-02")->ms);
}

TEST_CASE("A time that the zone does not have is noted") {
  auto const remarks = [](std::string const& start) {
    TestFile const file(
        "t.csv", "job,started,ended,outcome\n1," + start + ",2024-03-10 04:30:00,succeeded\n");
    ColumnMap map = own_columns();
    map.time_zone = "America/Chicago";
    return to_text(read_attempt_tables({file.path()}, map).report);
  };
  CHECK_THAT(remarks("2024-03-10 02:30:00"), test::has_text("1 time in an hour that the clock"));
  CHECK_THAT(remarks("2024-03-10 01:30:00"), !test::has_text("skipped"));
  CHECK_THAT(remarks("2024-03-10 03:00:00"), !test::has_text("skipped"));
}

}  // namespace
}  // namespace gridcast::import
