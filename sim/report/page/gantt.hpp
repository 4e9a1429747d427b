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

/// Of a dated history; the reason why there is no section otherwise.
ReportPart gantt_section(OneCampaign const& campaign);

/// Bars merged until there are at most `most`.
void aggregate(Gantt& gantt, std::size_t most);

}  // namespace gridcast::report
