#include "sim/report/page/report_page.hpp"
#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

TEST_CASE("the baseline comes first, and is always drawn", "[shown]") {
  std::vector<std::string> names;
  for (int i = 0; i < 30; ++i) names.push_back("s" + std::to_string(i));
  auto result = test::comparison_result(names);
  result.baseline = "s3";
  auto const results = std::vector<Result>{result};
  CHECK(shown_strategies(results).size() == 30);
  CHECK(shown_strategies(results).front().label == "s3");
  auto const drawn = drawn_strategies(results);
  REQUIRE(drawn.size() == most_drawn);
  CHECK(drawn.front().label == "s3");
  // Later strategies lose less.
  CHECK(drawn.back().label == "s29");
  CHECK(drawn[1].label == "s21");
}

TEST_CASE("lists and lines", "[shown]") {
  CHECK(list_text({"a", "b", "c"}) == "a, b and c");
  CHECK(list_text({"a"}) == "a");
  CHECK(one_line("a\nb\tc") == "a b c");
}

}  // namespace
}  // namespace gridcast::report
