// Kinds of events that a record does not show. A campaign can have its first eviction, hold or lost
// contact, often in several jobs at once. Each such kind occurs in a share of the campaigns; the
// number of its jobs is log-uniform from one to a share of all jobs (UnseenLaw).
#pragma once

#include "sim/base/random.hpp"
#include "sim/engine/campaign_variation.hpp"
#include "sim/history/recorded_jobs.hpp"

namespace gridcast::engine {

/// Changes jobs of `next` that succeed. Each event comes at a random point of the last attempt.
void add_unseen_events(history::RecordedJobs const& recorded, UnseenLaw const& law,
                       RandomStream stream, history::RecordedJobs& next);

}  // namespace gridcast::engine
