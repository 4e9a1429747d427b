// The distribution of every figure of a forecast, and a record that is compared with it. A replay
// is a forecast whose record is known.
#pragma once

#include <string>
#include <vector>

#include "sim/report/data/result.hpp"
#include "sim/report/view/section.hpp"
#include "sim/study/record.hpp"

namespace gridcast::report {

/// Every figure's distribution, the main ones under each hypothesis of the stalls, and the observed
/// figures where there is a record. The drawing refers to the result.
std::vector<Section> prediction_sections(Result const& result);

/// Each figure of the record and of the replay, and their difference. A strategy for which the
/// replay has to draw has intervals, also under each hypothesis.
std::vector<Section> replay_sections(Result const& result);

/// The distribution of every figure under the first strategy.
Section figures(Result const& result);
/// A record compared with its forecast.
Section against_record(Result const& result);

/// "PARTIAL: after 412 of 1000 replicas" and the number of those that failed; empty for a study
/// that is complete.
Section incomplete(Result const& result);

/// How many observed figures lie where they were predicted: "12 of 14 observed figures lie in the
/// central 90 %, and 29 more are the same in all replicas and in the record". The latter could not
/// be otherwise and say nothing of a forecast. Without a stop.
std::string coverage_text(study::RecordComparison const& against);

}  // namespace gridcast::report
