// The attempts of a history's jobs: from the event that gives a job a slot to the one that takes it
// away (JobEvent's ends_attempt).
#pragma once

#include <cstddef>
#include <vector>

#include "sim/history/job_history.hpp"

namespace gridcast::condor {

struct AttemptSpan {
  std::size_t first = 0, last = 0;  // of the job's own events
  Seconds begin, end;               // of its last event so far if it is open
  Id<history::Site> site;
  bool executed = false;
  bool open = false;  // the history ends before the attempt does
};

/// Of one job, its events in order.
std::vector<AttemptSpan> attempt_spans(std::vector<history::JobEvent> const& events);

/// The events of each job, in order, indexed by Id<Job>.
std::vector<std::vector<history::JobEvent>> events_of_jobs(history::JobHistory const& history);

}  // namespace gridcast::condor
