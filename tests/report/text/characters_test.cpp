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

TEST_CASE("an interval has its dot and its ends where the axis says", "[drawing]") {
  Axis const axis = {0, 10};
  CHECK(interval_line({2, 5, 8}, axis, 11, Charset::ascii) == "  |--o--|  ");
  CHECK(interval_line({2, 5, 8}, axis, 11, Charset::utf8) == "  ├──●──┤  ");
  CHECK(interval_line({0, 0, 10}, axis, 11, Charset::ascii) == "o---------|");
  CHECK(interval_line({3, 3, 3}, axis, 11, Charset::ascii) == "   o       ");
  // Beyond the axis is at its end; of nothing nothing is drawn.
  CHECK(interval_line({-5, 20, 30}, axis, 11, Charset::ascii) == "|---------o");
  CHECK(interval_line({1, std::nan(""), 3}, axis, 11, Charset::ascii).empty());
  CHECK(interval_line({5, 5, 5}, {5, 5}, 3, Charset::ascii) == "o  ");
}

TEST_CASE("the line at zero shows whether an interval reaches over it", "[drawing]") {
  Axis const axis = {-5, 5};
  CHECK(interval_line({-3, -1, 2}, axis, 11, Charset::ascii, 0.0) == "  |-o+-|   ");
  CHECK(interval_line({-4, -3, -2}, axis, 11, Charset::ascii, 0.0) == " |o| :     ");
}

TEST_CASE("a small curve is full only where all is done, and empty only where nothing is",
          "[drawing]") {
  CHECK(small_curve({0, 0.001, 0.5, 0.999, 1}, Charset::ascii) == " .=#@");
  CHECK(small_curve({0, 0.001, 0.5, 0.999, 1}, Charset::utf8) == " ▁▄▇█");
}

TEST_CASE("an axis is labelled at its ends", "[drawing]") {
  CHECK(axis_line("0", "12 h", 10) == "0     12 h");
  CHECK(axis_line("0", "12 h", 3) == "0");
}

TEST_CASE("there is colour only where the screen has it", "[drawing]") {
  CHECK(painted("x", Style::good, {Charset::utf8, 80, false}) == "x");
  CHECK(painted("x", Style::plain, {Charset::utf8, 80, true}) == "x");
  CHECK(painted("x", Style::good, {Charset::utf8, 80, true}) == "\x1b[32mx\x1b[0m");
}

}  // namespace
}  // namespace gridcast::report
