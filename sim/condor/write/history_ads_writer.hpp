// A history as the ads that condor_history prints, as far as a history has their contents:
// dates (Unix seconds, whole), status, exits, counts, seconds in slots, sites, GPUs of the
// last attempt, names of node and batch, program. HTCondor manual, "Job ClassAd
// Attributes".
//
// Known to no history and therefore not written: the job's request, memory and disk, CPU time,
// files. Written as an access point with one-core slots has them: CumulativeSlotTime.
#pragma once

#include <chrono>
#include <iosfwd>

#include "sim/condor/write/event_log_writer.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

enum class AdsForm { long_form, json };

struct HistoryAdsOptions {
  AdsForm form = AdsForm::json;
  /// The date of time zero where the history does not know it: that of EventLogOptions.
  std::chrono::sys_seconds start = usual_log_start;
  int max_sites = 10;  // MachineAttrGLIDEIN_ResourceName0 to 9; the latest is 0
};

/// One ad a job, in the order of the history's jobs. InputError for a history without dates.
void write_history_ads(history::JobHistory const& history, std::ostream& out,
                       HistoryAdsOptions const& options = {});

}  // namespace gridcast::condor
