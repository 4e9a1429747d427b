#include "sim/report/page/job_table.hpp"

#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

TEST_CASE("a row a job, with the columns that any job has", "[job_table]") {
  ResultLedger ledger;
  ledger.jobs = {{"1.0", "succeeded", "PDX", {{"stalls", 2}}, {{"execute_s", 10}}},
                 {"1.1", "held", "", {{"stalls", 0}}, {{"execute_s", 0}}}};
  ledger.classes = {{"execute_s", 10}, {"idle_s", 0}};
  auto const section = *job_table_section(ledger, true).section;
  auto const& table = *section.table;
  CHECK_THAT(table.says, has_text("1 of 2 jobs succeeded"));
  REQUIRE(table.data.columns.size() == 5);
  CHECK(table.data.columns[0].link == "gantt-job");
  CHECK(table.data.columns[3].name == "stalls");
  CHECK(table.data.columns[4].name == "class_execute_s");
  CHECK(std::get<double>(table.data.rows[0][4]) == 10);
  CHECK(job_table_section(ledger, false).section->table->data.columns[0].link.empty());
}

TEST_CASE("of very many jobs those that were tried most are shown", "[job_table]") {
  ResultLedger ledger;
  for (int i = 0; i < 6000; ++i) {
    ledger.jobs.push_back({std::to_string(i), "succeeded", "PDX", {{"attempts", double(i)}}, {}});
  }
  auto const table = *job_table_section(ledger, false).section->table;
  CHECK(table.data.rows.size() == 5000);
  CHECK(std::get<std::string>(table.data.rows[0][0]) == "5999");
  CHECK_THAT(table.says, has_text("6000 of 6000 jobs succeeded. Shown: the 5000"));
}

TEST_CASE("a ledger without its jobs has no table, and it is said", "[job_table]") {
  CHECK_THAT(job_table_section(ResultLedger(), true).missing, has_text("names no jobs"));
}

}  // namespace
}  // namespace gridcast::report
