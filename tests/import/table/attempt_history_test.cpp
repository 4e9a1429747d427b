// What rows of a table that had no slot are in a history.
#include <fstream>

#include <fmt/format.h>

#include "sim/history/attempts.hpp"
#include "sim/import/table/attempt_table.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

TEST_CASE("What failed before it had a slot is a job that was given up, or waited for its retry") {
  auto const file = std::filesystem::temp_directory_path() / "gridcast-attempt-history.csv";
  std::ofstream(file) << "job,attempt,submitted,started,ended,outcome\n"
                         "1,1,0,,60,failed\n1,2,61,70,170,succeeded\n"
                         "2,1,0,,60,failed\n"
                         "3,1,0,10,60,failed\n";
  AttemptTable table = read_attempt_tables({file}, std::nullopt);
  std::filesystem::remove(file);
  CHECK(table.report.rows_left_out == 0);
  CHECK_THAT(to_text(table.report),
             test::has_text("2 rows failed with no time at which the attempt began"));
  auto const history = history_of(table);
  CHECK(history.jobs.size() == 3);
  auto const attempts = history::attempts_of(history);
  REQUIRE(attempts.size() == 2);
  CHECK(attempts[0].end == history::EventKind::terminated);
  CHECK(attempts[1].end == history::EventKind::terminated);
  std::string removed;
  for (history::JobEvent const& event : history.events) {
    if (event.kind != history::EventKind::aborted) continue;
    removed += fmt::format("job {} at {} s", event.job.index(), event.at.value());
    CHECK(event.reason == history::Reason::system);
  }
  CHECK(removed == "job 1 at 60 s");
}

}  // namespace
}  // namespace gridcast::import
