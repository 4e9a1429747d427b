// gridcast validate CALIBRATION --against RECORD... and gridcast validate RECORD... --leave-one WHAT:
// forecasts of campaigns that took place, from what had been seen before, scored.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/score_plan.hpp"
#include "sim/cli/study_on.hpp"

namespace gridcast::cli {

/// Each record of --against forecast from the calibration. The exit code.
int score_against(OnArguments const& on, std::filesystem::path const& calibration,
                  ScoreArguments const& arguments);

/// As --leave-one says. The exit code.
int score_left_out(OnArguments const& on, std::vector<std::filesystem::path> const& records,
                   ScoreArguments const& arguments);

}  // namespace gridcast::cli
