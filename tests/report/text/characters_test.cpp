#include "sim/report/text/characters.hpp"

#include <cmath>

#include "tests/test.hpp"

namespace gridcast::report {
namespace {

TEST_CASE("a bar is as long as its share", "[drawing]") {
  CHECK(bar(0.5, 10, Charset::ascii) == "#####");
  CHECK(bar(1, 10, Charset::ascii) == "##########");
  CHECK(bar(0, 10, Charset::ascii).empty());
  CHECK(bar(0.5, 3, Charset::utf8) == "█▌");
  CHECK(bar(1, 3, Charset::utf8) == "███");
  CHECK(bar(7, 3, Charset::utf8) == "███");
  CHECK(bar(std::nan(""), 3, Charset::utf8).empty());
  // However little there is, it shows.
  CHECK(bar(1e-6, 10, Charset::ascii) == ".");
  CHECK(bar(1e-6, 10, Charset::utf8) == "▏");
}

TEST_CASE("there is colour only where the screen has it", "[drawing]") {
  CHECK(painted("x", Style::good, {Charset::utf8, 80, false}) == "x");
  CHECK(painted("x", Style::plain, {Charset::utf8, 80, true}) == "x");
  CHECK(painted("x", Style::good, {Charset::utf8, 80, true}) == "\x1b[32mx\x1b[0m");
}

}  // namespace
}  // namespace gridcast::report
