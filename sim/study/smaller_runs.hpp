// How many jobs a run needs that is to tell the explanations apart. The strategy whose whole campaign would
// tell most (value_of_information.hpp) is played with the first tenth, quarter and half of the campaign's
// jobs as well, in the same worlds with the same luck: fewer jobs share links with fewer, so that what
// they show is not a sample of what all of them show.
#pragma once

#include "sim/study/comparison.hpp"

namespace gridcast::study {

/// The campaign's first jobs, in order of submission.
scenario::Campaign first_jobs(scenario::Campaign campaign, int jobs);

/// Fills `smaller` of a comparison that is undecided between rivals, has no failed replica and was not
/// interrupted, where a run would tell something at all.
void add_smaller_runs(Comparison& comparison, scenario::Scenario const& scenario,
                      StudyOptions const& options);

}  // namespace gridcast::study
