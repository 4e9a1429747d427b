// Replay: a recorded campaign once more, each job with its own luck. See docs/model.md, "Replay".
#pragma once

#include "sim/engine/replica.hpp"
#include "sim/history/job_table.hpp"

namespace gridcast {

/// Re-enacts the campaign of `table`. Under a strategy that decides as the published one this gives
/// back the table's figures; under another, what the record cannot tell (until when a path stayed
/// bad, how the next one is) is drawn from `world` and `streams`.
Replica replay(JobTable const& table, Strategy const& strategy, World const& world,
               RandomStreams const& streams);

}  // namespace gridcast
