#include "sim/report/page/report_page.hpp"
#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

TEST_CASE("a deadline is in figure and table", "[finish_section]") {
  // Both jobs have succeeded by 10,000 s in one replica, by 20,000 s in the other.
  auto const section = *finish_section({test::prediction_result()}, Seconds(15000)).section;
  REQUIRE(section.figures.size() == 1);
  CHECK(section.figures[0].spec == "finish_curve");
  REQUIRE(section.figures[0].params.size() == 1);
  CHECK(std::get<double>(section.figures[0].params[0].second) == 15000);
  auto const& row = section.table->data.rows[0];
  CHECK(std::get<double>(row[row.size() - 3]) == Approx(50));
  CHECK(std::get<double>(row[row.size() - 2]) < 10);  // of two replicas next to nothing is known
  CHECK(std::get<double>(row.back()) > 90);
  CHECK_THAT(section.table->says,
             has_text("2 jobs") && has_text("with probability 50 % (1 to 99)"));
}

TEST_CASE("a campaign that misses the wanted share never ends", "[finish_section]") {
  auto prediction =
      test::fake_prediction({test::figures(7200, 10000, 2), test::figures(7200, 20000, 1)});
  auto const section = *finish_section({result_of(prediction)}, std::nullopt).section;
  // One of the two campaigns has one success only.
  CHECK(std::get<std::string>(section.table->data.rows[0][3]) == "never");
  // The axis ends near the end of the longer campaign.
  CHECK(std::get<double>(section.figures[0].data.rows[0][5]) > 15000);
  CHECK(std::get<double>(section.figures[0].data.rows[0][5]) <= 20000);
}

TEST_CASE("without a deadline the table has times near the median", "[finish_section]") {
  auto const section = *finish_section({test::comparison_result()}, std::nullopt).section;
  CHECK(section.table->data.columns.size() == 4 + 3 * 3);
  CHECK(section.table->data.rows.size() == 2);
  CHECK_THAT(section.figures[0].says, has_text("published: 2 of 2 jobs finish"));
}

TEST_CASE("results without dates have no finish curve, and it is said", "[finish_section]") {
  Result result = test::prediction_result();
  result.strategies[0].finish.reset();
  auto const part = finish_section({result}, std::nullopt);
  CHECK_FALSE(part.section);
  CHECK_THAT(part.missing, has_text("no dates"));
}

}  // namespace
}  // namespace gridcast::report
