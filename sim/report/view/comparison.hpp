// A comparison of strategies: which strategy is best, how sure that is and what it depends on, then
// figures of each strategy, differences to the baseline, and chances of being best.
#pragma once

#include <string>
#include <vector>

#include "sim/report/data/result.hpp"
#include "sim/report/view/section.hpp"
#include "sim/study/record.hpp"

namespace gridcast::report {

/// Everything for a terminal. The drawings refer to the result.
std::vector<Section> comparison_sections(Result const& result);

/// The figures of each strategy, medians with the central 90 %.
Section levels(Result const& result);
/// How strategies differ from the baseline, and how often each is best.
Section differences(Result const& result);
Section chances(Result const& result);
/// Badput, successes and makespan under each explanation; empty without rival explanations.
Section by_explanation(Result const& result);

/// How likely it is that the deadline is kept; empty where no deadline is asked about.
Section deadline(Result const& result);

/// The finish curve of one strategy: the share of the replicas in which all jobs had ended by then.
/// Empty where no replica has a makespan.
std::string finish_plot(study::StudySample const& sample, Screen const& screen);

/// The critical path: its length, the sums of its parts, and its longest steps; empty for no path.
/// `of` says whose path it is: "of this run", "of the typical replica".
Section critical_path(std::vector<study::CriticalStep> const& path, std::string const& of);

}  // namespace gridcast::report
