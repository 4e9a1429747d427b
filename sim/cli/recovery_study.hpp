// `gridcast validate --recover N` simulates campaigns, fits the record that a user would have of
// each, and compares the fits with the true parameters. It reports for each parameter in how many
// campaigns its 90 % interval contains the truth, and the rank of the truth among the draws
// (simulation-based calibration, Talts et al. 2018: with an exact posterior the ranks are uniform).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/cli/study_arguments.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

/// "21 of 25 (84 %)", "none" of none.
std::string count_and_percent(std::size_t part, std::size_t all);

/// `evidence`: "log", "ads" or "table". The exit code.
int recover_parameters(StudyArguments const& arguments, scenario::Scenario const& scenario,
                       std::string const& evidence);

}  // namespace gridcast::cli
