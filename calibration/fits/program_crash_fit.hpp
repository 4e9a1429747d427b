// How often the programs of one record crash. Debug runs fail and the final programs do not: of a
// log's four programs one crashed in 16 of 20 executions, the others in 0 of 12.
//
// Program j had n_j executions that came to an end of their own, and k_j of them crashed. Programs
// differ as campaigns do (inference/campaign_spread.hpp):
//   k_j ~ Binomial(n_j, 1 / (1 + exp(-x_j))),   x_j ~ N(m, tau^2),   m flat, tau ~ half-normal(s)
// with the scale s of campaigns, and the posterior of (m, tau) and of each x_j on grids. A site's
// probability is of all programs together. Therefore a program adds a factor on the odds,
// exp(x_j) / odds of all, with its central 90 % reported (docs/model.md, A-PROGRAM).
#pragma once

#include "calibration/records/attempt_record.hpp"
#include "calibration/records/programs.hpp"

namespace gridcast::calibration {

/// Sets the counts and the odds of each program; nothing where there is only one, or none crashed.
void set_crash_odds(Programs& programs, AttemptRecords const& records);

}  // namespace gridcast::calibration
