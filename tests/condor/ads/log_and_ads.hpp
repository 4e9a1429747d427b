// Whether a history and the ads of its jobs come to the same totals: attempts, executions, holds,
// seconds in slots.
#pragma once

#include <string_view>
#include <vector>

#include "sim/condor/ads/job_ads.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

struct ConsistencyRow {
  history::JobName job;
  std::string_view fact;  // the attribute: NumShadowStarts, ...
  double in_history = 0, in_ads = 0;
  double tolerance = 0;
  std::string_view because;  // the reason of a difference beyond it; empty where there is none

  bool agrees() const;
};

/// A row for each job and attribute that both know, of jobs in the queue no more or held. Rows of
/// jobs whose ads are older than the end of the history are left out.
///   NumShadowStarts      attempts, and shadows that took over a running job (NumJobMatches does
///                        not count those)
///   NumJobStarts         attempts that executed
///   NumHolds             holds
///   RemoteWallClockTime  seconds in slots, within 1 s for each attempt and 1 s
std::vector<ConsistencyRow> compare_with_ads(history::JobHistory const& history, JobAds const& ads);

}  // namespace gridcast::condor
