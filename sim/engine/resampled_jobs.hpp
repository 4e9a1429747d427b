// The jobs of the next campaign, as whole histories of recorded jobs.
//
// 1. The recorded jobs get random weights: gamma variables of shape 4, times the campaign's odds of
//    each ending. (The Bayesian bootstrap, Rubin 1981, Annals of Statistics 9, has shape 1. There
//    the median falls below the record where few jobs have most of the evictions; campaigns that
//    differ have factors of their own here.) Each new job repeats a recorded job, by
//    systematic sampling: a job with the weight w of n new jobs is repeated floor(n w) or
//    ceil(n w) times.
//    A job that the record leaves unfinished is drawn to its end (completed_jobs.hpp).
// 2. The steps of each attempt are as long as recorded, times the campaign's factors. An attempt
//    that the job repeated occurs floor(f) or ceil(f) times, f on average.
// 3. Kinds of events that no recorded job has occur in some campaigns (UnseenLaw).
//
// If the factors are one, the expected figures are those of the record.
#pragma once

#include <cstddef>

#include "sim/base/random.hpp"
#include "sim/engine/campaign_variation.hpp"
#include "sim/history/recorded_jobs.hpp"

namespace gridcast::engine {

/// `recorded` has at least one job. The result has `jobs` jobs and the sites of the record; the
/// first wait of each job is its attempts.front().wait where it never had a slot.
history::RecordedJobs resampled_jobs(history::RecordedJobs const& recorded, std::size_t jobs,
                                     CampaignFactors const& factors, UnseenLaw const& unseen,
                                     RandomStreams const& streams);

}  // namespace gridcast::engine
