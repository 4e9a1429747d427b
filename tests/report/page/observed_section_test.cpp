#include "sim/report/page/report_page.hpp"
#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

TEST_CASE("figures outside their interval are named", "[observed_section]") {
  auto result = test::prediction_result();
  study::Summary predicted;
  predicted.p05 = 1;
  predicted.p95 = 3;
  result.against = study::RecordComparison();
  result.against->figures = {{"stalls", 2, predicted, 0.5, true},
                             {"holds", 9, predicted, 1, false}};
  result.against->executions.assign(4, {"1.0", "PDX", 100, 100, true});
  result.against->executions.back().within = false;
  result.against->executions.push_back({"1.1", "CHTC", 100, std::nan(""), false});
  auto const section = *observed_section({result}).section;
  CHECK(section.figures[0].says == "1 of 2 observed figures lie in the central 90 %; not holds.");
  CHECK_THAT(section.text[0], has_text("3 of 4 executions that gave a result"));
  CHECK_THAT(section.text[1], has_text("1 execution at sites where"));
  CHECK(std::get<double>(section.figures[0].data.rows[1][1]) == 9);
}

TEST_CASE("without a record the section is absent", "[observed_section]") {
  auto const part = observed_section({test::prediction_result()});
  CHECK_FALSE(part.section);
  CHECK(part.missing.empty());
}

}  // namespace
}  // namespace gridcast::report
