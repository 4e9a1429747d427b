#include "sim/report/text/layout.hpp"

#include <algorithm>
#include <sstream>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
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

TEST_CASE("a number and its percent sign stay on one line", "[paragraph]") {
  CHECK(paragraph("top-1 64.2 % now", {14, 2}) == "top-1 64.2 %\n  now\n");
  CHECK(paragraph("top-one 64.2 % now", {12, 2}) == "top-one\n  64.2 % now\n");
}

TEST_CASE("a command is broken as a shell reads it, values beside their options", "[paragraph]") {
  std::string const command = "gridcast forecast s.yaml --once --seed 3 --out one-run";
  CHECK(command_lines(command, 80, 2) == "  " + command + "\n");
  CHECK(command_lines(command, 36, 2) ==
        "  gridcast forecast s.yaml --once \\\n      --seed 3 --out one-run\n");
}

TEST_CASE("lines of prose fit the screen and keep their beginning", "[paragraph]") {
  CHECK(fitted("  one two three\nfour\n", {Charset::utf8, 10}) == "  one two\n    three\nfour\n");
  CHECK(fitted("a\x1b[31mb ± c", {Charset::ascii, 80}) == "a?[31mb +- c\n");
}

TEST_CASE("text from logs cannot control the terminal", "[characters]") {
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

TEST_CASE("UTF-8 is distinguished from other bytes", "[characters]") {
  CHECK(is_utf8("plain, ± and 数据 \U0001F600"));
  for (auto const* bad :
       {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\x80", "\xE2\x82"}) {
    CHECK_FALSE(is_utf8(bad));
  }
}

TEST_CASE("columns are as wide as their widest cell, nothing trails") {
  TextTable table("site|>jobs|note");
  table.add_row({"CHTC", "24", "x"});
  table.add_row({"A", "1000", ""});
  table.add_rule();
  table.add_row({"all", "1024", ""});
  REQUIRE(table.str(endless_screen()) ==
          "site  jobs  note\n"
          "----------------\n"
          "CHTC    24  x\n"
          "A     1000\n"
          "----------------\n"
          "all   1024\n");
}

TEST_CASE("words that are longer than any screen is wide are cut") {
  TextTable table("site");
  table.add_row({std::string(5000, 'x')});
  table.add_row({std::string(200, 'y')});
  REQUIRE(table.str(endless_screen()) == "site\n" + std::string(203, '-') + "\n" +
                                             std::string(200, 'x') + "...\n" +
                                             std::string(200, 'y') + "\n");
}

TEST_CASE("a URL is not cut, as a user copies it; other long words are") {
  std::string const url = "'osdf:///ospool/" + std::string(90, 'x') + "/data.tar=SIZE'";
  CHECK(fitted("Add --size " + url + ", such as 20GB\n", {}) ==
        "Add --size\n  " + url + ",\n  such as 20GB\n");
  CHECK(fitted(std::string(100, 'x') + "\n", {}) ==
        std::string(80, 'x') + "\n  " + std::string(20, 'x') + "\n");
}

TEST_CASE("characters are counted, not bytes") {
  REQUIRE(text_width("µs ± 1") == 6);
  TextTable table({{"a", Align::right}, {"b"}});
  table.add_row({"±1", "x"});
  table.add_row({"100", "y"});
  REQUIRE(table.str(endless_screen(), 2) ==
          "    a  b\n"
          "  ------\n"
          "   ±1  x\n"
          "  100  y\n");
}

std::vector<std::string> lines_of(std::string const& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST_CASE("columns of words are wrapped where the screen is narrow") {
  TextTable table({{"name"}, {"what it was, in words"}, {"h", Align::right}});
  table.add_row({"a", "the input transfer that succeeded", "45.8"});
  CHECK(table.str(Screen{Charset::utf8, 30}) ==
        "name  what it was, in        h\n"
        "      words\n"
        "------------------------------\n"
        "a     the input transfer  45.8\n"
        "      that succeeded\n");
}

TEST_CASE("columns that do not fit are reported in blocks that begin with the names") {
  TextTable table({{"site"}, {""}, {"one", Align::right}, {"two", Align::right}, {"three"}});
  table.add_row({"A", "h", "123456", "1234567", "x"});
  CHECK(table.str(Screen{Charset::utf8, 20}) ==
        "site        one\n"
        "---------------\n"
        "A     h  123456\n"
        "\n"
        "site         two\n"
        "----------------\n"
        "A     h  1234567\n"
        "\n"
        "site     three\n"
        "--------------\n"
        "A     h  x\n");
}

TEST_CASE("a table with any content fits the screen and loses nothing") {
  RandomStream random = RandomStreams(7, 0).stream(Purpose::execution, 0);
  for (int round = 0; round < 200; ++round) {
    auto const below = [&](int n) { return static_cast<int>(random.uniform() * n); };
    std::vector<TextColumn> columns;
    std::size_t letters = 0;
    auto const words = [&](int most) {
      std::string text;
      for (int i = below(most); i >= 0; --i) {
        int const size = 1 + below(25);
        text += (text.empty() ? "" : " ") + std::string(static_cast<std::size_t>(size), 'x');
        letters += static_cast<std::size_t>(size);
      }
      return text;
    };
    int const count = 1 + below(8);
    for (int c = 0; c < count; ++c)
      columns.push_back({"t", below(2) == 0 ? Align::left : Align::right});
    columns[0].align = Align::left;
    TextTable table(columns);
    for (int r = 0; r < 3; ++r) {
      std::vector<std::string> row;
      // Numbers are right-aligned and short.
      for (int c = 0; c < count; ++c)
        row.push_back(columns[static_cast<std::size_t>(c)].align == Align::left ? words(6)
                                                                                : "1234567");
      table.add_row(row);
    }
    for (std::size_t const width : {60, 80, 137, 200}) {
      auto const text = table.str(Screen{Charset::ascii, width});
      for (auto const& line : lines_of(text)) REQUIRE(text_width(line) <= width);
      REQUIRE(static_cast<std::size_t>(std::count(text.begin(), text.end(), 'x')) >= letters);
    }
  }
}

TEST_CASE("a row has a cell for each column") {
  TextTable table({{"a"}, {"b"}});
  REQUIRE_THROWS_AS(table.add_row({std::string("1")}), InternalError);
}

}  // namespace
}  // namespace gridcast::report
