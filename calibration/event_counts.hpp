// What a campaign's records count, with events told apart from the jobs that they hit.
#pragma once

#include <vector>

#include "calibration/pooled_rate.hpp"
#include "calibration/record.hpp"

namespace gridcast::calibration {

/// Failures that come as one event and hit several jobs.
struct ShockCounts {
  int events = 0;
  int hits = 0;
};

struct EventCounts {
  int jobs = 0;
  int attempts = 0;  // transfer attempts, without those that a 404 shock hit
  int stalls = 0;
  int holds_released = 0;
  int held_transfer = 0;         // held for a failed transfer (not 404) and never released
  int held_other_decisions = 0;  // held for good for another reason; one shock is one decision
  int single_404 = 0;
  int executed_jobs = 0;
  int executions = 0;
  int corrupt = 0;
  double corrupt_seconds = 0;  // that they ran, in all
  ShockCounts not_found;
  ShockCounts network_down;
};

/// 404 shock: two or more jobs with consecutive numbers in one cluster, all held by 404. Network
/// down: wrong outputs by network at one site, each at most three numbers after the one before.
EventCounts count_events(Records const& records);

/// Evictions at each site (as records.sites) and the slot seconds in which they could have
/// happened: executions, last transfers and retried time there. Waiting that the table cannot tell
/// from retried transfers is in the exposure, so the rates err on the low side.
std::vector<SiteCount> count_evictions(Records const& records);

}  // namespace gridcast::calibration
