// Settings of the campaign itself: jobs in the queue, staged submission, epochs and GPUs of a job,
// parts of the input, and second copies of late jobs.
#pragma once

#include <vector>

#include "sim/optimize/knob.hpp"

namespace gridcast::optimize {

std::vector<Knob> submit_knobs(scenario::Scenario const& scenario,
                               scenario::Strategy const& current);

// Settings that decide where jobs run: a site that they avoid after failures, or always, and the
// GPUs that they prefer.

std::vector<Knob> match_knobs(scenario::Scenario const& scenario,
                              scenario::Strategy const& current);

}  // namespace gridcast::optimize
