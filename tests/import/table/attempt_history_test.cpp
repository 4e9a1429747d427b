// Rows of a table without a slot in a history.
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "sim/history/attempts.hpp"
#include "sim/import/table/attempt_table.hpp"
#include "tests/import/made_table.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

TEST_CASE(
    "An attempt that failed before its slot is a job that was given up, or waited for its retry") {
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

// Hold codes below 1000, codes of vacates from there on.
TEST_CASE("A code of HTCondor's without a reason names one; another system's does not") {
  using history::Reason;
  std::string const text =
      "job,started,ended,outcome,hold_code,hold_subcode,reason\n"
      "1,10,60,held,34,102,\n2,10,60,held,47,0,\n3,10,60,held,13,256,\n"
      "4,10,60,evicted,1013,0,\n5,10,60,evicted,34,0,\n6,10,60,error,1008,0,\n"
      "7,10,60,held,,,\n8,10,60,held,34,0,policy\n";
  auto const reasons = [](AttemptTable table) {
    std::vector<Reason> all;
    for (history::JobEvent const& event : history_of(table).events) {
      if (history::ends_attempt(event.kind)) all.push_back(event.reason);
    }
    return all;
  };
  CHECK(reasons(read(text)) == std::vector{Reason::out_of_resources, Reason::execution_too_long,
                                           Reason::transfer_failed, Reason::pilot_ended,
                                           Reason::out_of_resources, Reason::lost_contact,
                                           Reason::unknown, Reason::policy});
  ColumnMap of_others;
  {
    TestFile const map("map.yaml",
                       "schema: gridcast.columns/1\nbatch_system: PBS\n"
                       "columns: {job: job, started: started, ended: ended, outcome: outcome, "
                       "hold_code: hold_code, reason: reason}\n"
                       "outcomes: {held: held, evicted: evicted, error: error}\n");
    of_others = read_column_map(map.path());
  }
  std::vector<Reason> expected(8, Reason::unknown);
  expected.back() = Reason::policy;
  CHECK(reasons(read(text, of_others)) == expected);
}

}  // namespace
}  // namespace gridcast::import
