// What characters can draw: bars, intervals, small curves; and colour.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/report/text/screen.hpp"

namespace gridcast::report {

enum class Style { plain, strong, faint, good, bad, doubtful };

/// In the style's colour (ECMA-48 "select graphic rendition"), if the screen has colours.
std::string painted(std::string_view text, Style style, Screen const& screen);

/// A share of so many cells, to an eighth of one: "█████▋"; "#####" in ASCII. What is there shows,
/// however little ("." in ASCII).
std::string bar(double share, std::size_t cells, Charset charset);

/// Values from `least` at the left end to `most` at the right.
struct Axis {
  double least = 0, most = 1;
};

struct IntervalMarks {
  double low = 0, middle = 0, high = 0;
};

/// "  ├────●─────┤  " in so many cells; "  |----o-----|  " in ASCII. A line at `at`, where one is
/// given, shows through: where an interval reaches over it, the two do not differ.
std::string interval_line(IntervalMarks const& marks, Axis axis, std::size_t cells, Charset charset,
                          std::optional<double> at = std::nullopt);

/// The labels of an axis at its ends, in so many cells.
std::string axis_line(std::string const& least, std::string const& most, std::size_t cells);

/// A curve one line high: each value, from 0 to 1, is a character.
std::string small_curve(std::vector<double> const& shares, Charset charset);

}  // namespace gridcast::report
