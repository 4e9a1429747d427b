// The critical path of a campaign whose submissions wait for each other. It starts at the
// submission that ended last and goes back through the submissions whose end released the next one:
// a parent, or an earlier submission under the same limit (MAXJOBS, -maxjobs). It ends at a
// submission that waited for none. Only a shorter path makes the campaign shorter.
#pragma once

#include <cstdint>
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

  static void fields(auto& row, auto& step) {
    row("name", step.name);
    row.rounded("submitted_s", step.submitted);
    row.rounded("ended_s", step.ended);
    row.rounded("waiting_s", step.waiting);
    row.rounded("computing_s", step.computing);
    row.rounded("lost_s", step.lost);
    row.rounded("other_s", step.other);
    row("attempts", step.attempts);
  }
};

/// In the order of time; empty if no submission waits for another.
std::vector<CriticalStep> critical_path(scenario::Campaign const& campaign,
                                        history::JobHistory const& history);

}  // namespace gridcast::study
