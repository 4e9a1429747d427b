#include "sim/report/table.hpp"

#include "sim/base/error.hpp"
#include "tests/test.hpp"

namespace gridcast {
namespace {

TEST_CASE("columns are as wide as their widest cell, nothing trails") {
  TextTable table({{"site"}, {"jobs", Align::right}, {"note"}});
  table.add_row({"CHTC", "24", "x"});
  table.add_row({"A", "1000", ""});
  table.add_rule();
  table.add_row({"all", "1024", ""});
  REQUIRE(table.str() ==
          "site  jobs  note\n"
          "----------------\n"
          "CHTC    24  x\n"
          "A     1000\n"
          "----------------\n"
          "all   1024\n");
}

TEST_CASE("characters are counted, not bytes") {
  REQUIRE(text_width("µs ± 1") == 6);
  TextTable table({{"a", Align::right}, {"b"}});
  table.add_row({"±1", "x"});
  table.add_row({"100", "y"});
  REQUIRE(table.str(2) ==
          "    a  b\n"
          "  ------\n"
          "   ±1  x\n"
          "  100  y\n");
}

TEST_CASE("a row has a cell for each column") {
  TextTable table({{"a"}, {"b"}});
  REQUIRE_THROWS_AS(table.add_row({"1"}), InternalError);
}

}  // namespace
}  // namespace gridcast
