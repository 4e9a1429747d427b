#include "sim/history/csv.hpp"

#include "tests/test.hpp"

namespace gridcast::history {
namespace {

TEST_CASE("quoted cells hold commas, quotes and line breaks, and cells know their place") {
  std::vector<Problem> problems;
  auto const rows = parse_csv("a,b\r\n\"x, \"\"y\"\"\nz\",2\n\n3,\n", "t.csv", problems);
  REQUIRE(problems.empty());
  REQUIRE(rows.size() == 3);
  REQUIRE(rows[0][1].text == "b");
  REQUIRE(rows[0][1].column == 3);
  REQUIRE(rows[1][0].text == "x, \"y\"\nz");
  REQUIRE(rows[1][1].line == 3);
  REQUIRE(rows[1][1].column == 4);
  REQUIRE(rows[2][0].line == 5);
  REQUIRE(rows[2][1].text.empty());
}

TEST_CASE("a stray quote is one problem and costs its row only") {
  std::vector<Problem> problems;
  auto const rows = parse_csv("a,b\n1,x\"y\"\n\"2\"z,\"4\"5\n6,7\n", "t.csv", problems);
  REQUIRE(rows.size() == 2);
  REQUIRE(rows[1][0].text == "6");
  REQUIRE(problems.size() == 2);
  REQUIRE(problems[0].where.line == 2);
  REQUIRE(problems[0].where.column == 4);
  REQUIRE_THAT(problems[1].to_text(), test::has_text("t.csv:3:4: text after a closing quote"));
}

TEST_CASE("a quote that is never closed is reported where it opens") {
  std::vector<Problem> problems;
  auto const rows = parse_csv("a\n\"b\nc\n", "t.csv", problems);
  REQUIRE(rows.size() == 2);  // its own row only is lost
  CHECK(rows[1][0].text == "c");
  REQUIRE(problems.size() == 1);
  REQUIRE(problems[0].where.line == 2);
  REQUIRE(problems[0].where.column == 1);
}

TEST_CASE("no cell is a formula to a spreadsheet, and each reads back as it was") {
  CHECK(csv_cell("=1+2") == "'=1+2");
  CHECK(csv_cell("@SUM(A1,B1)") == "\"'@SUM(A1,B1)\"");
  CHECK(csv_cell("-x") == "'-x");
  CHECK(csv_cell("\t=1") == "'\t=1");
  CHECK(csv_cell("-1.5e-7") == "-1.5e-7");  // a number is none
  CHECK(csv_cell("a=1") == "a=1");
  CHECK(csv_cell("it's") == "it's");
  for (std::string const text : {"=1", "'=1", "''=1", "+1", "@", "-", "-1", "'-1", "'", "''", "'a",
                                 "\r=", "", "=a,\"b\"\n"}) {
    std::vector<Problem> problems;
    auto const rows = parse_csv("x," + csv_cell(text) + "\n", "t.csv", problems);
    CHECK(problems.empty());
    REQUIRE(rows.size() == 1);
    CHECK(rows[0][1].text == text);
  }
}

}  // namespace
}  // namespace gridcast::history
