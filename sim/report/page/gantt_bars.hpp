// A history as bars of phases, before anything is merged.
#pragma once

#include "sim/condor/logged_words.hpp"
#include "sim/history/job_history.hpp"
#include "sim/report/page/document.hpp"

namespace gridcast::report {

/// Indices into gantt_phases().
enum class GanttPhase : std::uint8_t {
  waiting,
  matched,
  transfer,
  stalled,
  executing,
  checkpoint,
  suspended,
  disconnected,
  held,
  evicted
};

/// Lanes, jobs, reasons and bars of the jobs for which `shown` is true. Jobs, lanes and reasons
/// keep their order in the history. A lost attempt's reason has the log's own words, where `words`
/// has any of that job and second.
Gantt gantt_bars(history::JobHistory const& history, std::vector<bool> const& shown,
                 std::vector<condor::LoggedWords> const& words = {});

}  // namespace gridcast::report
