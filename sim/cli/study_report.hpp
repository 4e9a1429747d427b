// The page of a study: its results, and one of its replicas in full.
#pragma once

#include <string>

#include "sim/cli/study_arguments.hpp"

namespace gridcast::cli {

/// With the replica of `strategy`, the result's baseline, that is the medoid. Nothing
/// without --report.
void write_study_report(StudyArguments const& arguments, scenario::Scenario const& scenario,
                        report::Result result, scenario::Strategy const& strategy);

}  // namespace gridcast::cli
