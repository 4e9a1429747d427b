// The rest of a running campaign: one possible future of each of its jobs, from now to its end.
//
// 1. A job in a slot continues as rest_of_job.hpp describes. SimGrid's clock has its end as an
//    event.
// 2. Jobs that never had a slot start one after the other: in slots that others leave if the pool
//    is full, else at the rate of the latest starts (start_law.hpp). Jobs of a DAG's node that is
//    not submitted yet wait for the end of its parents.
// 3. In each future the evidence has random weights. Executions and waits take longer or shorter by
//    one factor exp(S Z), Z normal (S: campaign_laws.hpp). Holds do not: people or rules end them,
//    and no slot is slower for that.
// 4. The weight of an attempt falls with the share of the attempts that began later. All jobs of an
//    earlier campaign together count as ten jobs in the odds of repetition. The lengths of its
//    steps stand for those of this campaign as long as no such step has ended here.
// 5. A second copy (chosen_changes.hpp) waits in the queue as a job whose attempt has ended, and
//    takes no slot from others.
//
// A future depends on its number and the seed alone.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/running/rest_of_job.hpp"

namespace gridcast::running {

SharedDraws shared_draws(std::uint64_t seed, std::uint32_t future);

/// One possible future: of each job, by its number. Jobs that are over come to their recorded end.
std::vector<JobRest> rest_of_campaign(RunningCampaign const& campaign, CampaignLaws const& laws,
                                      FutureOptions const& options, RandomStreams const& streams);

}  // namespace gridcast::running
