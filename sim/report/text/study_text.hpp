// The results of studies for the terminal: a prediction, a replay, which is one with the record
// beside it, and a comparison of strategies.
#pragma once

#include <string>

#include "sim/report/data/result.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {

/// Every figure's distribution, the main ones under each hypothesis of what makes transfers stall,
/// and, where there is a record to hold against it, the observed figures in their places.
std::string prediction_text(Result const& result, Screen const& screen = endless_screen());

/// Each figure of the rows, of the replay, and by how much they differ; under a strategy for which
/// the replay has to draw, with intervals and under each hypothesis.
std::string replay_text(Result const& result, Screen const& screen = endless_screen());

/// First in sentences which strategy is best, how sure that is and on what it depends, then drawn
/// and in tables.
std::string comparison_text(Result const& result, Screen const& screen = endless_screen());

/// "PARTIAL: after 412 of 1000 replicas" and the number of those that failed; empty for
/// a study that is whole.
std::string incomplete_text(Result const& result);

}  // namespace gridcast::report
