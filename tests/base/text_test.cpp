#include "sim/base/text.hpp"

#include "tests/test.hpp"

namespace gridcast::inline base {

TEST_CASE("text is split and trimmed", "[text]") {
  using Pieces = std::vector<std::string>;
  CHECK(split("a,b,c", ',') == Pieces{"a", "b", "c"});
  CHECK(split(",a,,", ',') == Pieces{"", "a", "", ""});
  CHECK(split("", ',') == Pieces{""});
  CHECK(trim(" \ta b\r\n") == "a b");
  CHECK(trim("a") == "a");
  CHECK(trim(" \n ").empty());
  CHECK(trim("").empty());
}

TEST_CASE("a word is quoted for the shell, quotes in it too", "[text]") {
  CHECK(quoted_for_shell("") == "''");
  CHECK(quoted_for_shell("a b $c") == "'a b $c'");
  CHECK(quoted_for_shell("don't") == "'don'\\''t'");
}

TEST_CASE("case is ignored in ASCII letters, and in nothing else", "[text]") {
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
