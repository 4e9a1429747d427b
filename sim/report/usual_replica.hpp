// Which replica of a study to show in full: the one most like the others.
#pragma once

#include <cstdint>

#include "sim/study/sample.hpp"

namespace gridcast::report {

/// The replica whose places among all in badput, makespan and successes are the nearest to the
/// middle: the least sum over the three of |place - 1/2|, where ties share their mean place and a
/// figure that it has not counts as the middle. Of those alike, the first.
std::uint32_t usual_replica(study::StudySample const& sample);

}  // namespace gridcast::report
