// A history as HTCondor's job event log, in the text format that all of its tools read (JSON and
// XML stop some of them). Grammar: condor_event.cpp of HTCondor 9 to 25. What reads the log back
// has the same history, to the second.
//
// One event of a history can be several of the log: a hold of a running job is an error of the
// starter (021), an eviction (004) and a hold (012), a lost connection 024 and 004.
//
// Known to no history and therefore not written: image sizes (006), CPU time other than the
// execution itself, memory and disk used. A stall is logged as lasting since its transfer began.
#pragma once

#include <iosfwd>
#include <memory>

#include "sim/condor/event_log_options.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

/// Takes one event after the other, in the order of time.
class EventLogWriter {
 public:
  /// Of `names` the jobs, sites and slots are used and the date of time zero; it and `out` have to
  /// outlive the writer.
  EventLogWriter(history::JobHistory const& names, std::ostream& out,
                 EventLogOptions const& options);
  ~EventLogWriter();
  EventLogWriter(EventLogWriter const&) = delete;
  EventLogWriter& operator=(EventLogWriter const&) = delete;

  void add(history::JobEvent const& event);
  /// No event of the job will follow.
  void forget(Id<history::Job> job);
  void finish();

 private:
  class Writing;
  std::unique_ptr<Writing> writing_;
};

/// Throws InputError for a history without dates: a log cannot be written of what nobody dated.
void write_event_log(history::JobHistory const& history, std::ostream& out,
                     EventLogOptions const& options = {});

}  // namespace gridcast::condor
