// How the ends of attempts are logged: 004, 005, 007, 009, 012, and what the starter (021) and the
// shadow (024) say before.
#pragma once

#include "sim/condor/event_log_frame.hpp"

namespace gridcast::condor {

/// Writes the events that stand for `event`, of which ends_attempt() is true, at frame.now.
void write_attempt_end(EventLogFrame& frame, history::JobEvent const& event, LogRun& run);

/// A release (013) or a removal (009): what happened, and who or what did it.
struct LoggedDecision {
  int number = 0;
  std::string_view what, command, expression;
};
void write_decision(EventLogFrame& frame, history::JobEvent const& event, LogRun const& run,
                    LoggedDecision const& decision);

}  // namespace gridcast::condor
