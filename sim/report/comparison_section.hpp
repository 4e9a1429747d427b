// Strategies compared: paired differences to the baseline with 95 % intervals, the probability of
// being best, and makespan against badput.
#pragma once

#include <vector>

#include "sim/report/data/result.hpp"
#include "sim/report/page/document.hpp"

namespace gridcast::report {

ReportPart comparison_section(std::vector<Result> const& results);

}  // namespace gridcast::report
