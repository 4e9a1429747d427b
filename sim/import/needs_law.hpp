// The needs of recorded jobs, also of those that a limit of memory or disk stopped.
//
// A stopped job shows that it needs more than its limit, and not how much more. The needs of all
// are taken to be lognormal. The law is the most likely one, given the needs below the limits and
// the number of jobs above each limit (censored observations; the EM algorithm of Dempster, Laird &
// Rubin 1977, example 4.3). Of k jobs that one limit stopped, job i has the quantile (i - 1/2) / k
// of the law above the limit. With fewer than three needs below the limits, the law is log-uniform
// from the limit to three times as much (assumption A-NEEDS).
//
// An example: 64 jobs used 0.7 to 2 GB, and a limit of 2 GB stopped 36. The law has a median of 1.8
// GB and a standard deviation of the logarithm of 0.4; 19 jobs need more than 2.5 GB.
#pragma once

#include <vector>

#include "sim/ledger/requests.hpp"

namespace gridcast::import {

/// In bytes, in no order.
std::vector<double> amounts_needed(std::vector<ledger::JobNeed> const& needs);

}  // namespace gridcast::import
