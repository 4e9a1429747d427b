// A comparison of strategies for the terminal.
#pragma once

#include <string>

#include "sim/study/comparison.hpp"

namespace gridcast {

std::string comparison_text(Comparison const& comparison);

}  // namespace gridcast
