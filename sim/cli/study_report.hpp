// The page of a study: its results, and one of its replicas in full.
#pragma once

#include <string>

#include "sim/cli/study_arguments.hpp"

namespace gridcast::cli {

/// `json`: the study's result as --json prints it; `sample`: of the strategy `strategy`, whose
/// replica most like the others is shown. Nothing without --report.
void write_study_report(StudyArguments const& arguments, scenario::Scenario const& scenario,
                        std::string const& json, scenario::Strategy const& strategy,
                        study::StudySample const& sample);

}  // namespace gridcast::cli
