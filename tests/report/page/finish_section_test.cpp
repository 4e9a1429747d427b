#include <cmath>

#include "sim/report/page/report_page.hpp"
#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

TEST_CASE("the probability of a deadline is read off the quantiles of makespan",
          "[finish_section]") {
  study::FinishBand finish;
  finish.makespans = {Seconds(100), Seconds(200), Seconds(200), Seconds(400)};
  CHECK(ended_by(finish, Seconds(50)) == 0);
  CHECK(ended_by(finish, Seconds(150)) == Approx(1.0 / 6));
  CHECK(ended_by(finish, Seconds(200)) == Approx(2.0 / 3));
  CHECK(ended_by(finish, Seconds(300)) == Approx(5.0 / 6));
  CHECK(ended_by(finish, Seconds(400)) == 1);
  CHECK(std::isnan(ended_by(study::FinishBand(), Seconds(1))));
}

TEST_CASE("a deadline is in figure and table", "[finish_section]") {
  // Makespans of 10,000 and 20,000 s: half of the way between them, half of the probability.
  auto const section = *finish_section({test::prediction_result()}, Seconds(15000)).section;
  REQUIRE(section.figures.size() == 2);
  CHECK(section.figures[0].spec == "finish_curve");
  REQUIRE(section.figures[0].params.size() == 1);
  CHECK(std::get<double>(section.figures[0].params[0].second) == 15000);
  CHECK(std::get<double>(section.table->data.rows[0].back()) == Approx(50));
  CHECK_THAT(section.table->says, has_text("with probability 0.50"));
}

TEST_CASE("without a deadline the table has some near the median", "[finish_section]") {
  auto const section = *finish_section({test::comparison_result()}, std::nullopt).section;
  CHECK(section.table->data.columns.size() == 4 + 3);
  CHECK(section.table->data.rows.size() == 2);
  CHECK_THAT(section.figures[0].says, has_text("published: 2 of 2 jobs succeed"));
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
