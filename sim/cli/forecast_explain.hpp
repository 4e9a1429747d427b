// A forecast's sources in a screenful: what was learnt from which record, what was borrowed, what was
// left out and why, and which fits a test rejects.
#pragma once

#include <string>

#include "sim/cli/log_calibration.hpp"
#include "sim/cli/submit_scenario.hpp"

namespace gridcast::cli {

std::string explain(CalibratedLogs const& calibrated,
                    std::vector<condor::SubmitNote> const& not_taken);

}  // namespace gridcast::cli
