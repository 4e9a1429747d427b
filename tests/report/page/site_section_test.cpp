#include "sim/report/page/report_page.hpp"
#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

TEST_CASE("a study's sites are its means", "[site_section]") {
  auto const section = *site_section({test::prediction_result()}).section;
  REQUIRE(section.table);
  auto const& rows = section.table->data.rows;
  REQUIRE(rows.size() == 2);
  CHECK(std::get<std::string>(rows[1][1]) == "PDX");
  CHECK(std::get<double>(rows[1][6]) == 9000);
}

TEST_CASE("results that name no site have no section, and it is said", "[site_section]") {
  Result result;
  result.ledger = ResultLedger();
  CHECK_THAT(site_section({result}).missing, has_text("do not name sites"));
}

TEST_CASE("the sites of jobs whose time by site is not known are their last sites",
          "[site_section]") {
  OneCampaign campaign;
  campaign.ledger.jobs = {
      {"1.0", "succeeded", "PDX", {}, {}},
      {"1.1", "held", "", {}, {}},
      {"1.2", "succeeded", "UCSD", {{"execute_last_s", 70}}, {}},
      {"1.3", "held", "UCSD", {{"execute_last_s", 30}, {"transfer_last_s", 5}}, {}}};
  Result result;
  result.ledger = ResultLedger();
  CHECK(!site_section({result}, nullptr).section);
  auto const section = *site_section({result}, &campaign.ledger).section;
  CHECK_THAT(section.table->says, has_text("2 sites."));
  auto const& rows = section.table->data.rows;
  REQUIRE(rows.size() == 2);
  CHECK(std::holds_alternative<std::monostate>(rows[0][3]));
  CHECK(std::get<std::string>(rows[1][0]) == "UCSD");
  CHECK(std::get<double>(rows[1][1]) == 2);
  CHECK(std::get<double>(rows[1][2]) == 1);
  CHECK(std::get<double>(rows[1][3]) == 50);
  CHECK(std::get<double>(rows[1][4]) == 5);
}

TEST_CASE("a row a job, with the columns that any job has", "[job_table]") {
  ResultLedger ledger;
  // No job counts a hold.
  ledger.jobs = {{"1.0", "succeeded", "PDX", {{"stalls", 2}, {"holds", 0}}, {{"execute_s", 10}}},
                 {"1.1", "held", "", {{"stalls", 0}, {"holds", 0}}, {{"execute_s", 0}}}};
  ledger.classes = {{"execute_s", 10}, {"idle_s", 0}};
  auto const section = *job_section(ledger, true).section;
  auto const& table = *section.table;
  CHECK_THAT(table.says, has_text("1 of 2 jobs succeeded"));
  REQUIRE(table.data.columns.size() == 5);
  CHECK(table.data.columns[0].link == "gantt-job");
  CHECK(table.data.columns[3].name == "stalls");
  CHECK(table.data.columns[4].name == "class_execute_s");
  CHECK(std::get<double>(table.data.rows[0][4]) == 10);
  CHECK(job_section(ledger, false).section->table->data.columns[0].link.empty());
}

TEST_CASE("a table of jobs for each strategy, with the columns that any job of any has",
          "[job_table]") {
  OneCampaign published, upgrade;
  published.strategy = "published";
  published.ledger.jobs = {{"1.0", "held", "", {{"stalls", 2}}, {}}};
  upgrade.strategy = "upgrade";
  upgrade.ledger.jobs = {{"1.0", "succeeded", "PDX", {{"holds", 1}}, {}}};
  auto const section = *job_section(published, {upgrade}, true).section;
  CHECK(section.table->strategy == "published");
  CHECK_THAT(section.table->says, has_text("0 of 1 job succeeded"));
  REQUIRE(section.other_tables.size() == 1);
  CHECK(section.other_tables[0].strategy == "upgrade");
  CHECK_THAT(section.other_tables[0].says, has_text("1 of 1 job succeeded"));
  CHECK(section.table->data.columns.size() == 5);
  CHECK(section.other_tables[0].data.columns.size() == 5);
}

TEST_CASE("with very many jobs the page shows those with the most attempts", "[job_table]") {
  ResultLedger ledger;
  for (int i = 0; i < 6000; ++i) {
    ledger.jobs.push_back({std::to_string(i), "succeeded", "PDX", {{"attempts", double(i)}}, {}});
  }
  auto const table = *job_section(ledger, false).section->table;
  CHECK(table.data.rows.size() == 5000);
  CHECK(std::get<std::string>(table.data.rows[0][0]) == "5999");
  CHECK_THAT(table.says, has_text("6000 of 6000 jobs succeeded. Shown: the 5000"));
}

TEST_CASE("a ledger without its jobs has no table, and it is said", "[job_table]") {
  CHECK_THAT(job_section(ResultLedger(), true).missing, has_text("names no jobs"));
}

}  // namespace
}  // namespace gridcast::report
