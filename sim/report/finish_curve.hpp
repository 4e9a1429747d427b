// How many jobs had succeeded by when, drawn with characters.
#pragma once

#include <string>
#include <vector>

#include "sim/report/text/screen.hpp"

namespace gridcast::report {

inline constexpr std::size_t most_curve = 100;

/// `times`: when jobs succeeded, in seconds; `jobs`: how many there are; `end`: when the last job
/// had ended. Nine lines: eight of plot, an axis in hours or days;
/// as wide as the screen, but no wider than most_curve.
std::string finish_curve(std::vector<double> times, std::size_t jobs, double end,
                         Screen const& screen);

}  // namespace gridcast::report
