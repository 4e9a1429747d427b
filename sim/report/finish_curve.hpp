// How many jobs had succeeded by when, drawn with characters.
#pragma once

#include <string>
#include <vector>

#include "sim/report/screen.hpp"

namespace gridcast {

/// `times`: when jobs succeeded, in seconds; `jobs`: how many there are; `end`: when the last job
/// had ended. Nine lines: eight of plot, an axis in hours or days.
std::string finish_curve(std::vector<double> times, std::size_t jobs, double end, Charset charset);

}  // namespace gridcast
