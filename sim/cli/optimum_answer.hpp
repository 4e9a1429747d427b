// The options and the answer of a search for the best strategy, made here (`optimize`) or in shards
// (`optimize --on`, `compare gather`).
#pragma once

#include <filesystem>
#include <string>

#include "sim/cli/study_arguments.hpp"
#include "sim/optimize/optimum.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

/// `as`: a name of a party. `budget`: "2 min", "5000 campaigns".
optimize::OptimizeOptions optimize_options(std::string const& as, std::string const& budget,
                                           study::StudyOptions const& study);

/// Prints the answer, and writes the scenario with the strategy "optimized" to `out` unless it is
/// empty. Returns the exit code.
int answer(StudyArguments const& arguments, scenario::Scenario const& scenario,
           optimize::Optimum const& optimum, std::filesystem::path const& out);

}  // namespace gridcast::cli
