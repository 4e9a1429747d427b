#include "sim/report/page/report_page.hpp"
#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

TEST_CASE("differences of a comparison", "[comparison_section]") {
  auto const section = *comparison_section({test::comparison_result()}).section;
  REQUIRE(section.figures.size() == 1);
  CHECK_THAT(
      section.figures[0].says,
      has_text("In lost slot time (badput), 0 of 1 other strategies are below the baseline"));
  // Half the badput of 7,200 and 10,800 s: 4,500 s less in the mean.
  bool found = false;
  for (auto const& row : section.figures[0].data.rows) {
    if (std::get<std::string>(row[1]) != "lost slot time (badput)") continue;
    CHECK(std::get<std::string>(row[2]) == "s");
    CHECK(std::get<double>(row[3]) == -4500);
    CHECK(std::get<double>(row[8]) == 2);  // pairs
    found = true;
  }
  CHECK(found);
}

TEST_CASE("a campaign that loses its jobs early never ends", "[comparison_section]") {
  auto comparison = test::fake_comparison({"published", "hopeless"});
  comparison.samples[1] =
      test::fake_sample({test::figures(100, 600, 0), test::figures(100, 600, 1)});
  auto result = result_of(comparison);
  auto const table = *comparison_section({result}).section->table;
  std::size_t wanted = 0;
  while (table.data.columns[wanted].name != "wanted_s_p50") ++wanted;
  CHECK(std::get<double>(table.data.rows[0][wanted]) == Approx(10000));
  CHECK(std::get<std::string>(table.data.rows[1][wanted]) == "never");
  CHECK(std::get<std::string>(table.data.rows[1][wanted + 1]) == "never");
  for (auto const& column : table.data.columns) CHECK(column.name != "makespan_s_p50");
  auto const sections = verdict_sections({result});
  for (auto const& row : sections[0].figures[0].data.rows) {
    CHECK(std::get<std::string>(row[1]) != "makespan");
  }
}

TEST_CASE("strategies of one name are distinguished by their files", "[comparison_section]") {
  auto one = test::prediction_result(), other = test::prediction_result();
  other.source = "q.json";
  auto const section = *comparison_section({one, other}).section;
  CHECK(std::get<std::string>(section.table->data.rows[0][0]) == "published (p.json)");
  CHECK(std::get<std::string>(section.table->data.rows[1][0]) == "published (q.json)");
}

TEST_CASE("a ledger has no strategies", "[comparison_section]") {
  Result ledger;
  ledger.ledger = ResultLedger();
  auto const part = comparison_section({ledger});
  CHECK_FALSE(part.section);
  CHECK(part.missing.empty());
}

}  // namespace
}  // namespace gridcast::report
