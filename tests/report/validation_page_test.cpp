#include "sim/report/validation_page.hpp"

#include "tests/test.hpp"

namespace gridcast::report {
namespace {

TEST_CASE("true values inside and outside their intervals", "[validation_page]") {
  ValidationRequest request;
  request.title = "c1.yaml";
  request.parameters = {{{"a", "1", "", "", 2, {1, 3}, 5, 0}, 2.5, true},
                        {{"b", "1", "", "", 2, {1, 3}, 5, 0}, 4, false},
                        {{"c", "1", "", "", 2, {1, 3}, 0, 0}, 2, true}};
  auto const page = validation_page(request);
  CHECK(page.kind == "validation");
  CHECK(page.answer[0].starts_with("1 of 2 true values"));
  CHECK(page.answer[1] == "Outside: b.");
  auto const& rows = page.sections[0].figures[0].data.rows;
  REQUIRE(rows.size() == 3);
  CHECK(std::get<double>(rows[1][1]) == 4);
  CHECK(std::get<std::string>(rows[1][5]) == "no");
}

}  // namespace
}  // namespace gridcast::report
