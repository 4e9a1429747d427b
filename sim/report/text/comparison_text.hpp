// A comparison of strategies for the terminal.
#pragma once

#include <string>

#include "sim/report/text/screen.hpp"
#include "sim/study/comparison.hpp"

namespace gridcast::report {

std::string comparison_text(study::Comparison const& comparison,
                            Screen const& screen = endless_screen());

}  // namespace gridcast::report
