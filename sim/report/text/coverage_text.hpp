// How many observed figures lie where they were predicted.
#pragma once

#include <string>

#include "sim/study/record_comparison.hpp"

namespace gridcast::report {

/// "12 of 14 observed figures lie in the central 90 %, and 29 more are the same in all replicas and in
/// the record": those could not have been otherwise, and say nothing of a forecast. Without a stop.
std::string coverage_text(study::RecordComparison const& against);

}  // namespace gridcast::report
