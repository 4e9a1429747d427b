// The answer of a comparison in sentences: which strategy is best, how sure that is, and what it
// hangs on.
#pragma once

#include <string>

#include "sim/study/comparison.hpp"

namespace gridcast {

/// Of a complete comparison with at least one replica.
std::string comparison_verdict(Comparison const& comparison);

}  // namespace gridcast
