// What a study's replicas look like, drawn: intervals as dots and lines, and when campaigns end.
#pragma once

#include <string>

#include "sim/report/data/result.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {

/// A line a strategy: GPU hours for each success and successes (dot: median, line: 5 % to 95 % of
/// the replicas), the difference of the former to the baseline (dot: mean, line: its 95 %
/// interval), and the finish curve: the share of the replicas in which all jobs had ended by then.
std::string strategy_plots(Result const& result, Screen const& screen);

/// The finish curve of one strategy, larger. Empty where no replica tells its makespan.
std::string finish_plot(study::StudySample const& sample, Screen const& screen);

}  // namespace gridcast::report
