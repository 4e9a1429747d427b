// The forecast of a running campaign in words: in twelve lines, with all figures, and in one line.
#pragma once

#include <string>

#include "sim/report/data/running_data.hpp"
#include "sim/report/text/characters.hpp"

namespace gridcast::report {

/// At most twelve lines at 80 columns.
std::string brief_running(RunningResult const& result, Screen const& screen);
/// The same, and all figures with their ranges.
std::string running_text(RunningResult const& result, Screen const& screen);
/// "62 of 100 jobs over, 24 running, 3 held; 90 succeed by 2026-11-28 14:05".
std::string running_line(RunningResult const& result);

}  // namespace gridcast::report
