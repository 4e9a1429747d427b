#include "sim/report/site_section.hpp"

#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

TEST_CASE("a study's sites are its means", "[site_section]") {
  auto const section = *site_section({test::prediction_result()}, nullptr).section;
  REQUIRE(section.table);
  auto const& rows = section.table->data.rows;
  REQUIRE(rows.size() == 2);
  CHECK(std::get<std::string>(rows[1][1]) == "PDX");
  CHECK(std::get<double>(rows[1][6]) == 9000);
}

TEST_CASE("times of jobs by site, where there are no dates", "[site_section]") {
  Result result;
  result.ledger = ResultLedger();
  result.ledger->sites["PDX"] = {{"jobs", 2}, {"stalls", 3}, {"holds", 0}, {"evictions", 0}};
  result.ledger->jobs = {{"1.0", "succeeded", "PDX", {{"execute_last_s", 100}}, {}},
                         {"1.1", "succeeded", "PDX", {{"execute_last_s", 300}}, {}}};
  auto const section = *site_section({result}, nullptr).section;
  REQUIRE(section.figures.size() == 2);
  CHECK_THAT(section.figures[0].says, has_text("last execution: longest at PDX (3.33 min"));
  CHECK(std::get<double>(section.figures[0].data.rows[0][4]) == 200);
  CHECK_THAT(section.figures[1].says, has_text("3 of the stalls at PDX"));
}

TEST_CASE("results that name no site have no section, and it is said", "[site_section]") {
  Result result;
  result.ledger = ResultLedger();
  CHECK_THAT(site_section({result}, nullptr).missing, has_text("do not name sites"));
}

}  // namespace
}  // namespace gridcast::report
