// Recorded jobs under other rules of their own than the record's: on_exit_hold, periodic_hold and
// periodic_remove.
//
// A log names these rules, and not the reason behind them. The record's own rules say which one
// held a job that was running: if it has both on_exit_hold and periodic_hold, an output transfer
// shows that the program had ended.
//
//   on_exit_hold      the program came to its end, with a code that the rule holds: the first of
//                     the record's codes and of 1 to 255. Under other rules on exits it exits, and
//                     these rules decide.
//   periodic_hold,    the rule cut a running program short. Under another one it goes on, as under
//   periodic_remove   a longer limit (longer_limits.hpp), unless the new rule acts first. A hold or
//                     removal in the queue does not happen: the new rule decides.
//
// An example: `periodic_hold = time() - JobCurrentStartDate > 4500` held 28 of 100 jobs. With 9000
// instead, the 28 continue by the law of all executions, and the few that last 9000 s are held.
#pragma once

#include "sim/base/random.hpp"
#include "sim/history/recorded_jobs.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::engine {

/// True if two policies have the same rules for programs that came to their end.
bool same_exit_rules(scenario::JobPolicy const& a, scenario::JobPolicy const& b);

/// `recorded`: the rules of the record. Unchanged if `now` has the same. Otherwise attempts that
/// on_exit_hold held also have an exit code, and count as failed.
history::RecordedJobs under_other_rules(history::RecordedJobs jobs,
                                        scenario::JobPolicy const& recorded,
                                        scenario::JobPolicy const& now,
                                        RandomStreams const& streams);

}  // namespace gridcast::engine
