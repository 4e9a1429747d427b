// How many jobs a run needs that is to tell the explanations apart. The strategy whose whole campaign would
// tell most (value_of_information.hpp) is played with the first tenth, quarter and half of the campaign's
// jobs as well, in the same worlds with the same luck: fewer jobs share links with fewer, so that what
// they show is not a sample of what all of them show.
#pragma once

#include <optional>

#include "sim/study/comparison.hpp"

namespace gridcast::study {

/// The campaign's first jobs, in order of submission.
scenario::Campaign first_jobs(scenario::Campaign campaign, int jobs);
scenario::Scenario with_first_jobs(scenario::Scenario scenario, int jobs);

/// So many replicas of a run are read (value_of_information.hpp): each is held against each other one, and
/// all explanations have their shares among them.
inline constexpr std::size_t most_read = 1000;

/// Of the first replicas of one strategy, campaigns with fewer jobs.
struct SmallerRuns {
  std::size_t strategy = 0;
  std::vector<int> jobs;  // of each campaign, the smallest first
  std::size_t replicas = 0;
  bool operator==(SmallerRuns const&) const = default;
};
/// Nothing for a comparison that is not undecided between rivals, has a failed replica or was
/// interrupted, or where a run would tell nothing at all.
std::optional<SmallerRuns> smaller_runs(Comparison const& comparison,
                                        scenario::Scenario const& scenario);

/// Plays them, and fills `smaller`.
void add_smaller_runs(Comparison& comparison, scenario::Scenario const& scenario,
                      StudyOptions const& options);

}  // namespace gridcast::study
