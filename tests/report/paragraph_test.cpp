#include "sim/report/text/paragraph.hpp"

#include <sstream>

#include "sim/report/text/characters.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

TEST_CASE("words are broken into lines that fit", "[paragraph]") {
  CHECK(paragraph("one two  three\nfour", {9}) == "one two\nthree\nfour\n");
  CHECK(paragraph("one two three", {9, 2, 4}) == "one\n  two\n  three\n");
  CHECK(paragraph("a-word-too-long b", {5}) == "a-wor\nd-too\n-long\nb\n");
  CHECK(paragraph("abcdef", {5, 2, 3}) == "ab\n  cde\n  f\n");
  CHECK(paragraph("", {5}) == "\n");
}

TEST_CASE("a command is broken as a shell reads it, values beside their options", "[paragraph]") {
  std::string const command = "gridcast run s.yaml --seed 3 --out one-run";
  CHECK(command_lines(command, 80, 2) == "  " + command + "\n");
  CHECK(command_lines(command, 36, 2) ==
        "  gridcast run s.yaml --seed 3 \\\n      --out one-run\n");
}

TEST_CASE("lines of prose fit the screen and keep their beginning", "[paragraph]") {
  CHECK(fitted("  one two three\nfour\n", {Charset::utf8, 10}) == "  one two\n    three\nfour\n");
  CHECK(fitted("a\x1b[31mb ± c", {Charset::ascii, 80}) == "a?[31mb +- c\n");
}

TEST_CASE("what comes out of logs cannot reach the terminal's controls", "[characters]") {
  CHECK(printable("a\x1b]0;title\x07z\r\n\t\x7f", Charset::utf8) == "a?]0;title?z????");
  CHECK(printable("\u202Eevil\u202C", Charset::utf8) == "?evil?");
  CHECK(printable("\xC3\x28 \xE2\x82 \xFF \xED\xA0\x80", Charset::utf8) == "?( ?? ? ???");
  CHECK(printable("naïve 数据 ±", Charset::utf8) == "naïve 数据 ±");
  CHECK(printable("naïve 数 ± …", Charset::ascii) == "na?ve ? +- ...");
}

TEST_CASE("widths are columns, not bytes or characters", "[characters]") {
  CHECK(text_width("µs ± 1") == 6);
  CHECK(text_width("数据") == 4);
  CHECK(text_width("e\u0301") == 1);
  CHECK(bytes_within("数据a", 3) == 3);
  CHECK(bytes_within("数据a", 1) == 3);
  CHECK(bytes_within("abc", 10) == 3);
}

TEST_CASE("UTF-8 is told from what is not", "[characters]") {
  CHECK(is_utf8("plain, ± and 数据 \U0001F600"));
  for (auto const* bad :
       {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\x80", "\xE2\x82"}) {
    CHECK_FALSE(is_utf8(bad));
  }
}

}  // namespace
}  // namespace gridcast::report
