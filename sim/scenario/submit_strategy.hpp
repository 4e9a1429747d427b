// The campaign as a strategy submits it (SubmitStrategy): other jobs, submissions, requests and
// input files for the same work.
//
// - `jobs_in_one` m: one job computes the work of m jobs of the campaign, one after the other, with
//   one input. It crashes as soon as one of the m would. Its result counts as m jobs.
// - `jobs_at_a_time` n, `every` t: a submission becomes groups of n jobs, t apart.
// - `input_parts` k: each file becomes k files of equal size. A part fails or hangs with the
//   probability 1 - (1 - p)^(1/k), if p is that of the whole file.
// - `second_copy_after` t: a job that has not ended t after its submission gets a copy. The first
//   result counts, and the other of the two is removed.
#pragma once

#include <cstddef>
#include <string>

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/yaml/document.hpp"

namespace gridcast::scenario {

/// The campaign that the strategy submits. In a campaign of recorded jobs, only its queue changes.
Campaign submitted_campaign(Scenario const& scenario, Strategy const& strategy);

/// How jobs of the submitted campaign count as jobs of the campaign.
struct JobCount {
  std::size_t in_one = 1;      // that one submitted job computes
  bool second_copies = false;  // the second half of the submitted jobs are copies of the first
};
JobCount job_count(Scenario const& scenario, Strategy const& strategy);

/// Why so many jobs of the campaign cannot be joined; empty if they can.
std::string why_not_joined(Campaign const& campaign, int in_one);

/// A strategy that the scenario's campaign cannot be submitted with.
void check_submissions(YamlDocument& document, Scenario const& scenario);

}  // namespace gridcast::scenario
