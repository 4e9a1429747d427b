#include "sim/cli/command_line.hpp"

#include "tests/test.hpp"

namespace gridcast::cli {
namespace {

TEST_CASE("a command line can be typed again", "[command_line]") {
  CHECK(command_line({"/x/gridcast", "run", "a.yaml", "--seed", "3"}) ==
        "gridcast run a.yaml --seed 3");
  CHECK(command_line({"gridcast", "my log", "it's", "", "$(rm)"}) ==
        "gridcast 'my log' 'it'\\''s' '' '$(rm)'");
}

TEST_CASE("that of the process has its words", "[command_line]") {
  CHECK(command_line().starts_with("gridcast"));
}

}  // namespace
}  // namespace gridcast::cli
