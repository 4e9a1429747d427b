#include "sim/base/units.hpp"
#include "tests/test.hpp"

namespace gridcast::inline base {
namespace {

TEST_CASE("a factor is a number or a range, and reads back as written", "[factor_range]") {
  CHECK(parse_factor_range("2") == FactorRange{2, 2});
  CHECK(parse_factor_range("0.5..4") == FactorRange{0.5, 4});
  CHECK(parse_factor_range("1 .. 20") == FactorRange{1, 20});
  for (char const* text : {"2", "0.25..4", "1e-3..7"}) {
    auto const range = parse_factor_range(text);
    REQUIRE(range);
    CHECK(parse_factor_range(to_text(*range)) == range);
  }
}

TEST_CASE("a text that is no range of positive numbers is refused", "[factor_range]") {
  for (char const* text :
       {"", "..", "0", "-1", "4..2", "1..", "..2", "1..2..3", "x", "nan", "inf"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_factor_range(text));
  }
}

TEST_CASE("half of the draws are below the geometric middle", "[factor_range]") {
  FactorRange const range{0.25, 4};
  CHECK(range.at(0.5) == Approx(1));
  CHECK(range.at(0.25) == Approx(0.5));
  CHECK((FactorRange{3, 3}).at(0.9) == 3);
}

}  // namespace
}  // namespace gridcast::inline base
