// An attempt as its ads tell it, as the events that a log would have shown.
//
// What ads do not tell: suspensions, checkpoints and reconnections within the attempt (only their
// numbers), and an attempt's end before EpochWriteDate, which follows it within a second.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/condor/job_ads.hpp"
#include "sim/history/job_event.hpp"

namespace gridcast::condor {

/// An event without job, site and campaign time.
struct AdEvent {
  std::int64_t unix_s = 0;
  history::JobEvent event;
};

/// The attempts of a job's EPOCH ads and, where there is none of the last one, what the job's own
/// ad tells of it. In order of their starts; those without a start left out.
std::vector<AttemptAdFacts> attempts_of(JobAd const& job);

/// Matched to end; without an end while the attempt runs. `last`: the job's last attempt.
std::vector<AdEvent> events_of_attempt(JobAdFacts const& job, AttemptAdFacts const& attempt,
                                       bool last);

}  // namespace gridcast::condor
