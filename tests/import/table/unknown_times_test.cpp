// Cells of a time that hold none.
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

}  // namespace
}  // namespace gridcast::import
