// Refines the real numbers of a point together: Subplex (Rowan 1990; LN_SBPLX of NLopt) on the mean
// score of the same replicas at each point, which is a function without noise.
#pragma once

#include "sim/optimize/scoreboard.hpp"

namespace gridcast::optimize {

/// The best point that was seen. `step`: of a number, as a share of its range.
Point refine(SearchSpace const& space, Scoreboard& board, Point const& from, double step,
             std::size_t replicas);

}  // namespace gridcast::optimize
