// Cells of a time that hold none, or one whose order of day and month is not known.
#include "sim/ledger/ledger.hpp"
#include "tests/import/made_table.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

TEST_CASE("Words and dates of the year 1970 in place of a time mean that it is unknown") {
  std::string const none = GENERATE("NULL", "NaN", "None", "N/A", "nat", "-", "Unknown",
                                    "1970-01-01 00:00:00", "1969-12-31T18:00:00", "-1");
  AttemptTable table = read(
      "job,submitted,started,ended,outcome\n"
      "1,2025-08-27T10:00:00,2025-08-27T10:01:00,2025-08-27T10:02:40,succeeded\n"
      "2,2025-08-27T10:00:00," +
      none + ",2025-08-27T10:04:00,failed\n3,2025-08-27T10:00:00,2025-08-27T10:05:00," + none +
      ",running\n");
  CHECK(table.rows.size() == 3);
  auto const ledger = ledger::account(history_of(table));
  CHECK(ledger.total.succeeded == 1);
  CHECK(ledger.total.compute_success == Seconds(100));
  CHECK(ledger.total.executions == 2);
}

TEST_CASE("A day before its month is refused with its form, unless the table shows the opposite") {
  std::string const columns = "job;started;ended;outcome\n";
  std::string const both = "1;2/1/2025 2:51;2/1/2025 3:51;succeeded\n";
  std::string const day_first = "2;27/1/2025 2:51;27/1/2025 3:51:00 PM;succeeded\n";
  CHECK_THROWS_WITH(read(columns + both + day_first),
                    test::has_text(":3: '27/1/2025 2:51' has the day before the month") &&
                        test::has_text("time_format: '%d/%m/%Y %H:%M'"));
  std::string const month_first = "1;1/27/2025 2:51;1/27/2025 3:51;succeeded\n";
  AttemptTable const table = read(columns + month_first + day_first);
  CHECK(table.rows.size() == 1);
  CHECK(table.report.rows_left_out == 1);
}

}  // namespace
}  // namespace gridcast::import
