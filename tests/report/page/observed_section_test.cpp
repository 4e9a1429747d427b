#include "sim/report/page/report_page.hpp"
#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

TEST_CASE("figures outside their interval are named", "[observed_section]") {
  auto result = test::prediction_result();
  study::Summary predicted;
  predicted.p05 = 1;
  predicted.p95 = 3;
  result.against = study::RecordComparison();
  result.against->figures = {{"stalls", 2, predicted, 0.5, true},
                             {"holds", 9, predicted, 1, false}};
  auto const section = *observed_section({result}).section;
  CHECK(section.figures[0].says == "1 of 2 observed figures lie in the central 90 %; not holds.");
  CHECK(std::get<double>(section.figures[0].data.rows[1][1]) == 9);
}

TEST_CASE("without a record the section is absent", "[observed_section]") {
  auto const part = observed_section({test::prediction_result()});
  CHECK_FALSE(part.section);
  CHECK(part.missing.empty());
}

}  // namespace
}  // namespace gridcast::report
