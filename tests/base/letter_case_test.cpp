#include "sim/base/letter_case.hpp"

#include "tests/test.hpp"

namespace gridcast::inline base {

TEST_CASE("case is ignored in ASCII letters, and in nothing else", "[letter_case]") {
  REQUIRE(same_ignoring_case("NumJobStarts", "numjobstarts"));
  REQUIRE_FALSE(same_ignoring_case("a", "ab"));
  REQUIRE_FALSE(same_ignoring_case("\xc3\x84", "\xc3\xa4"));
  REQUIRE(compare_ignoring_case("abc", "ABD") < 0);
  REQUIRE(compare_ignoring_case("B", "a") > 0);
  REQUIRE(compare_ignoring_case("ab", "A") > 0);
  REQUIRE(lower("Site_7") == "site_7");
  REQUIRE(upper("Site_7") == "SITE_7");
}

}  // namespace gridcast::inline base
