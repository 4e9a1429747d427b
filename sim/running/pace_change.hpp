// How much the pace of a campaign changes, by how much it did so far.
//
// The executions that ended, in the order of their ends, make four blocks of equal numbers. The
// logarithms of the blocks' mean lengths have the variance s^2, with three degrees of freedom. An
// expectation of 0.9 counts as one more:
//
//   sd^2 = (0.9^2 + 3 s^2) / 4
//
// is the variance of the logarithm of the factor by which all that is to come takes longer; sd
// is at most 1.5. With fewer than two executions a block, the expectation stands alone.
#pragma once

#include <vector>

#include "sim/base/units.hpp"

namespace gridcast::running {

struct EndedExecution {
  Seconds end, length;
};

/// The sd of the logarithm of the factor.
double pace_change(std::vector<EndedExecution> executions);

}  // namespace gridcast::running
