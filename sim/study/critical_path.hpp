// The critical path of a campaign whose submissions wait for each other: from the submission that
// ended last back through the parent that let each go, to one that waited for none. What shortens
// nothing on it does not shorten the campaign.
#pragma once

#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/history/job_history.hpp"
#include "sim/scenario/campaign.hpp"

namespace gridcast::study {

/// One submission on the path, with the time of its job that ended last.
struct CriticalStep {
  std::string name;
  Seconds submitted, ended;
  Seconds waiting;    // in the queue: idle, held, cooling down
  Seconds computing;  // in the execution that ended it
  Seconds lost;       // in executions and transfers before the last attempt
  Seconds other;      // transfers, set-up and output of the last attempt
  std::uint32_t attempts = 0;
};

/// In the order of time; empty where no submission waits for another.
std::vector<CriticalStep> critical_path(scenario::Campaign const& campaign,
                                        history::JobHistory const& history);

}  // namespace gridcast::study
