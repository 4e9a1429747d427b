// The answer of a comparison in sentences: which strategy is best, how sure that is, and what it
// hangs on.
#pragma once

#include <string>

#include "sim/study/comparison.hpp"

namespace gridcast::report {

/// Of a complete comparison with at least one replica.
std::string comparison_verdict(study::Comparison const& comparison);

}  // namespace gridcast::report
