// What the writer of a job event log keeps at hand: the text, the time of the event that is being
// written, and of each job what its later events repeat.
#pragma once

#include <cstdint>

#include "sim/condor/event_log_text.hpp"

namespace gridcast::condor {

/// What the log has to remember of a job, in whole seconds of the log's clock.
struct LogRun {
  ExecutionPoint point;
  int attempts = 0;
  std::int64_t matched = 0, queued = 0, transfer_began = 0, execution_began = 0;
  std::int64_t last_process = 0;                    // what the last process took
  std::int64_t executed = 0, received = 0;          // of this run
  std::int64_t all_executed = 0, all_received = 0;  // of all runs
  bool claimed = false, executing = false, has_executed = false, output_open = false;

  void start(std::int64_t at);
  void start_process(std::int64_t at);
  void stop_process(std::int64_t at);
};

struct EventLogFrame {
  EventLogText log;
  EventLogOptions const& options;
  LogStamp now;
  int number = 0;

  /// Everything between the two is one event; event 028 follows it where it is asked for.
  void begin(int event_number, history::JobEvent const& event);
  void end(history::JobEvent const& event, LogRun const& run);
  /// An event whose text is known.
  void write(int event_number, history::JobEvent const& event, LogRun const& run,
             std::string_view text);
};

}  // namespace gridcast::condor
