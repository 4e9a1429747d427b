// Event 028, "Job ad information": HTCondor writes it behind each event of a job that has
// job_ad_information_attrs, with attributes of that event and those asked for, here the site.
#pragma once

#include "sim/condor/event_log_text.hpp"

namespace gridcast::condor {

/// The number of the event it stands behind, what that was in the history, and where.
struct AdTrigger {
  int number = 0;
  history::JobEvent const& event;
  LogStamp at;
  ExecutionPoint point;
  bool in_slot = false;
};

void write_ad_information(EventLogText& log, AdTrigger const& trigger);

}  // namespace gridcast::condor
