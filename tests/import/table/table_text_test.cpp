// Rows of tables, and quotation marks that nothing closes.
#include "sim/import/table/table_text.hpp"

#include <fstream>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

namespace fs = std::filesystem;

/// The cells of all rows, in brackets, behind their lines; then what was left out, with its place.
std::string rows_of(std::string const& text, std::optional<char> separator = std::nullopt) {
  fs::path const file = fs::temp_directory_path() / "gridcast-table-text.csv";
  std::ofstream(file) << text;
  std::string reported;
  try {
    auto const table = open_table(file, {separator}, {});
    TableRow row;
    while (table->next(row)) {
      reported += fmt::format("{}", row.line);
      for (std::string_view const cell : row.cells) reported += fmt::format("[{}]", cell);
      reported += ' ';
    }
    for (TableText::Trouble const& each : table->troubles()) {
      reported += fmt::format("{}:{}: {}; ", each.line, each.column, each.what);
    }
  } catch (InputError const& error) {
    reported += fs::path(error.what()).filename().string();
  }
  fs::remove(file);
  return reported;
}

constexpr char const* open = "nothing closes the quotation mark with which this cell begins; ";

TEST_CASE("Quoted cells have separators, quotation marks and line ends, as RFC 4180 has it") {
  CHECK(rows_of("a,b\r\n\"x, \"\"y\"\"\nz\",2\r\n\"\",\"\"\n\"3\",4\n") ==
        "2[x, \"y\"\nz][2] 4[][] 5[3][4] ");
  CHECK(rows_of("a|b\n\"x\ny\" |1\n\"z\"\t|\"\n\"\n") == "2[x\ny][1] 4[z][\n] ");
}

TEST_CASE("A quotation mark that nothing closes costs its own row only") {
  CHECK(rows_of("a,b\n1,2\n3,\"x\n4,5\n6,7\n") ==
        "2[1][2] 4[4][5] 5[6][7] 3:3: " + std::string(open));
  CHECK(rows_of("a,b\n1,\"x") == "2:3: " + std::string(open));
  // The closing mark opens another cell.
  CHECK(rows_of("a,b\n3,\"x\n4,\"y, z\"\n\"6\",\"7\"\n") ==
        "3[4][y, z] 4[6][7] 2:3: " + std::string(open));
  CHECK(rows_of("a,b\n3,\"x\n4,\"\"\n6,7\n") == "3[4][] 4[6][7] 2:3: " + std::string(open));
  // Behind a cell of two lines.
  CHECK(rows_of("a,b\n\"1\n2\",\"x\n4,5\n") == "4[4][5] 3:4: " + std::string(open));
}

TEST_CASE("Comments above a table are no rows of it, and a header behind a sign is its header") {
  CHECK(rows_of("# made, today\n\n# by us\na,b,c\n1,2,3\n") == "5[1][2][3] ");
  CHECK(rows_of("# made\r\na|b\r\n1|2\r\n") == "3[1][2] ");
  CHECK(rows_of("# made\n#a,b\n1,2\n") == "3[1][2] ");
  CHECK(comments_above("# made\n#a,b\n1,2\n") == 7);
  CHECK(comments_above("# nothing else\n") == 0);
}

TEST_CASE("A last row without an end of line may be short, where nothing shows that it is whole") {
  std::string const doubt =
      "the last row has no end of line; if the table was cut, its last cell may be short; ";
  CHECK(rows_of("a,b\n1,2\n3,succee") == "2[1][2] 3[3][succee] 3:0: " + doubt);
  CHECK(rows_of("a,b\n1,2\n3,") == "2[1][2] 3[3][] 3:0: " + doubt);
  CHECK(rows_of("a,b\n1,2\n3,4\n") == "2[1][2] 3[3][4] ");
  // Behind a closing quotation mark, or the separator that `sacct --parsable` ends with, there is
  // no more.
  CHECK(rows_of("a,b\n1,2\n3,\"4\"") == "2[1][2] 3[3][4] ");
  CHECK(rows_of("a|b|\n1|2|\n3|4|") == "2[1][2] 3[3][4] ");
  CHECK(rows_of("[{\"a\": 1, \"b\": 2}]") == "1[1][2] ");
  CHECK(rows_of("a,b") == "");
}

// As in 'sacct --parsable', and as some programs end rows alone.
TEST_CASE("A separator behind the last column is none of the row's") {
  CHECK(rows_of("a|b|\n1|2|\n3||\n") == "2[1][2] 3[3][] ");
  CHECK(rows_of("a,b\n1,2,\n3,\n") == "2[1][2] 3[3][] ");
  CHECK(rows_of("a,b\n1,2,,\n") == "2:0: the row has 4 cells instead of 2; ");
}

TEST_CASE("Within a cell that does not begin with one a quotation mark is a character") {
  CHECK(rows_of("a,b\n5\" pipe,2\nx \"y,3\n") == "2[5\" pipe][2] 3[x \"y][3] ");
}

TEST_CASE("An open quotation mark in a text longer than the window is reported") {
  std::string text = "a,b\n1,\"x\n", expected;
  for (int i = 0; i < 600'000; ++i) text += "22222222,33333333\n";
  std::string const reported = rows_of(text);
  CHECK(reported.starts_with("3[22222222][33333333] 4[22222222][33333333] "));
  CHECK(reported.ends_with("600002[22222222][33333333] 2:3: " + std::string(open)));
}

TEST_CASE("A header whose quotation mark nothing closes is refused") {
  CHECK(
      rows_of("job,\"site\n1,A\n") ==
      "gridcast-table-text.csv:1:5: nothing closes the quotation mark with which this cell begins "
      "(the first row has to name the columns)");
}

}  // namespace
}  // namespace gridcast::import
