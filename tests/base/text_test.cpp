#include "sim/base/text.hpp"

#include <algorithm>

#include "tests/test.hpp"

namespace gridcast::inline base {

TEST_CASE("a part ends at a separator outside of brackets and quotes", "[text]") {
  CHECK(end_of_part("a,b", ",") == 1);
  CHECK(end_of_part("a,b,c", ",", 2) == 3);
  CHECK(end_of_part("[a,b],c", ",") == 5);
  CHECK(end_of_part(R"("a,\",b)", ",") == 7);
  CHECK(end_of_part(R"("a,\"",b)", ",") == 6);
  CHECK(end_of_part("'a,\"', b", ",") == 5);
  CHECK(end_of_part("(a]b;c", ";]") == 4);
  CHECK(end_of_part("abc", ",") == 3);
  CHECK(end_of_part("\"\\", ",") == 2);
}

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

TEST_CASE("a printable text has no orders for a terminal in it", "[text]") {
  CHECK(printable("plain, \u00fc \u4e2d \U0001f600 ~") == "plain, \u00fc \u4e2d \U0001f600 ~");
  CHECK(printable("\x1b[31m\x7f\b\t\n\r") == "\\x1b[31m\\x7f\\x08\\t\\n\\r");
  CHECK(printable(std::string_view("a\0b", 3)) == "a\\x00b");
  CHECK(printable("\u009b31m \u202e \u2066") == "\\u009b31m \\u202e \\u2066");
  // No UTF-8: a byte alone, one cut off, too long a form, half a pair, beyond the last character.
  CHECK(printable("\x9b") == "\\x9b");
  CHECK(printable("\xe4\xb8") == "\\xe4\\xb8");
  CHECK(printable("\xc0\xaf\xe0\x80\xaf") == "\\xc0\\xaf\\xe0\\x80\\xaf");
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
  CHECK(printable_lines("a\x1b\nb\r\n\nc") == "a\\x1b\nb\\r\n\nc");
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      std::string const two = {static_cast<char>(first), static_cast<char>(second)};
      std::string const shown = printable(two);
      bool const is_fine = std::all_of(shown.begin(), shown.end(), [](char c) {
        auto const byte = static_cast<unsigned char>(c);
        return byte >= 0x20 && byte != 0x7f;
      });
      CHECK(is_fine);
      CHECK(printable(shown) == shown);
    }
  }
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
