// Whether a history and the ads of its jobs come to the same totals: attempts, executions, holds,
// seconds in slots. A check of the reader as much as of the log.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/condor/job_ads.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

struct ConsistencyRow {
  history::JobName job;
  std::string_view fact;  // the attribute: NumShadowStarts, ...
  double in_history = 0, in_ads = 0;
  double tolerance = 0;
  std::string_view because;  // what explains a difference beyond it; empty where nothing does

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

/// "320 totals of 80 jobs in log and ads, 318 the same", then one line for each that is not.
std::string to_text(std::vector<ConsistencyRow> const& rows);

}  // namespace gridcast::condor
