// Settings that decide where jobs run: a site that they avoid after failures, or always, and the
// GPUs that they prefer.
#pragma once

#include <vector>

#include "sim/optimize/knob.hpp"

namespace gridcast::optimize {

std::vector<Knob> match_knobs(scenario::Scenario const& scenario,
                              scenario::Strategy const& current);

}  // namespace gridcast::optimize
