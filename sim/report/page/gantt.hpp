// What each job did when, as bars on slots and jobs: one replica or a real log.
//
// Phases of an attempt: matched until its input transfer starts, transfer (stalled where the
// attempt ended for a stall or lack of progress), executing, checkpoint, suspended, disconnected,
// transfer of the output. Waiting and held have no slot. An attempt that was lost ends in a short
// bar "evicted" that carries its reason. Beyond `most_gantt_bars` bars neighbours on a lane are
// merged into bins of time, each shown as the phase that most of its time went to.
#pragma once

#include <string>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/report/page/report_page.hpp"

namespace gridcast::report {

inline constexpr std::size_t most_gantt_bars = 10000;
inline constexpr std::size_t most_gantt_jobs = 2000;  // beyond: the worst ones

/// Lanes, jobs, reasons and bars, before any are merged, of the jobs for which `shown` is true. Jobs,
/// lanes and reasons keep their order in the history. A lost attempt's reason has the log's own
/// words, where `words` has any of that job and second.
Gantt gantt_bars(history::JobHistory const& history, std::vector<bool> const& shown,
                 std::vector<condor::LoggedWords> const& words = {});

/// Bars merged until there are at most `most`.
void aggregate(Gantt& gantt, std::size_t most);

}  // namespace gridcast::report
