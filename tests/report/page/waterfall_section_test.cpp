#include <set>

#include "sim/report/page/report_page.hpp"
#include "sim/report/text/answer.hpp"
#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

TEST_CASE("the lines of a waterfall add up to the slot time", "[waterfall_section]") {
  auto const section = *waterfall_section({test::prediction_result()}).section;
  double sum = 0;
  for (auto const& row : section.figures[0].data.rows) sum += std::get<double>(row[2]);
  CHECK(sum == Approx(9000 + 7200));
  CHECK(std::get<std::string>(section.figures[0].data.rows[0][1]) == "good");
  CHECK(std::get<std::string>(section.figures[0].data.rows[1][1]) == "bad");
  CHECK_THAT(section.figures[0].says, has_text("56 % was lost, to retried transfers"));
}

TEST_CASE("observed and predicted stand in one figure", "[waterfall_section]") {
  auto result = test::prediction_result();
  result.against = study::RecordComparison();
  result.against->figures = {{"compute_success_s", 3600, {}, 0.5, true},
                             {"transfer_retried_s", 400, {}, 0.5, true},
                             {"badput_s", 400, {}, 0.5, true},
                             {"wallclock_s", 4000, {}, 0.5, true}};
  auto const section = *waterfall_section({result}).section;
  auto const& rows = section.figures[0].data.rows;
  REQUIRE(rows.size() == 4);
  CHECK(std::get<std::string>(rows[0][3]) == "observed");
  CHECK(std::get<std::string>(rows[1][3]) == "predicted");
  CHECK(rows[0][0] == rows[1][0]);  // line by line
  CHECK_THAT(section.figures[0].says, has_text("of slot time (observed) went "));
}

TEST_CASE("each strategy can be picked, the baseline first", "[waterfall_section]") {
  auto const section = *waterfall_section({test::comparison_result()}).section;
  auto const& figure = section.figures.front();
  CHECK(figure.spec == "waterfall");
  CHECK(figure.data.columns.back().name == "strategy");
  std::set<std::string> picked;
  for (auto const& row : figure.data.rows) picked.insert(std::get<std::string>(row.back()));
  CHECK(picked == std::set<std::string>{"better", "published"});
  CHECK(figure.title == "Slot time by line of the ledger: predicted");
  REQUIRE(figure.says_by.size() == 2);
  CHECK(figure.says_by[0].second == figure.says);
  CHECK_THAT(figure.says_by[0].second, has_text("published"));
  CHECK_THAT(figure.says_by[1].second, has_text("better"));
}

TEST_CASE("GPU hours are reported where slots had several GPUs", "[waterfall_section]") {
  Result result;
  result.ledger.emplace();
  result.ledger->metrics = {{"wallclock_s", 7200}, {"compute_success_s", 7200}};
  result.ledger->gpu_hours = 8;
  CHECK(waterfall_section({result}).section->text.back() ==
        "GPU hours: 8.0, the hours of slots (2.0) times their GPUs.");
  result.ledger->gpu_hours = 2;
  CHECK(waterfall_section({result}).section->text.size() == 1);
}

TEST_CASE("without slot time the page has no waterfall and gives the reason",
          "[waterfall_section]") {
  Result nothing;
  nothing.ledger = ResultLedger();
  CHECK_THAT(waterfall_section({nothing}).missing, has_text("no slot time"));
}

}  // namespace
}  // namespace gridcast::report
