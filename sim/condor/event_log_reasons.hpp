// Why an attempt ended or a job was held, released or removed, in HTCondor's own words, as its
// schedd, shadow, starter and transfer plugins put them, and in its codes ("Job Event Log Codes" in
// the HTCondor manual).
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/condor/event_log_text.hpp"

namespace gridcast::condor {

/// What the words speak of besides the reason.
struct ReasonContext {
  ExecutionPoint point;
  std::int64_t elapsed = 0;  // seconds since the transfer began
};

/// VacateReasonCode of an eviction that no hold follows.
history::HoldCode vacate_code(history::JobEvent const& event);

/// HoldReasonCode: the event's own, else the one of its reason.
history::HoldCode logged_hold_code(history::JobEvent const& event);

/// The code of event 021, by which the starter tells what it was doing: 12 when input failed, 13
/// when output did, the reverse of the hold codes. {0, 0}: 021 is not written, or has none.
history::HoldCode starter_code(history::HoldCode hold);

/// Whether the starter tells of it (021) before the shadow does.
bool told_by_starter(history::JobEvent const& event);

/// Whether there are words for it.
bool has_words(history::Reason reason);

/// Writes the words, without a line end; nothing for what has none.
void add_reason(EventLogText& log, EventLogOptions const& options, history::Reason reason,
                ReasonContext const& context);

/// Somebody typed `command`, or (Reason::policy) the job's `expression` did it.
void add_decision(EventLogText& log, history::Reason reason, std::string_view command,
                  std::string_view expression);

}  // namespace gridcast::condor
