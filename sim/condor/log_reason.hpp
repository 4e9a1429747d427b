// Why an attempt ended or a job was held, from HTCondor's codes and, where they leave it open, its
// words. Codes: "Job Event Log Codes" in the HTCondor manual (HoldReasonCode, VacateReasonCode).
#pragma once

#include <string_view>

#include "sim/history/job_event.hpp"

namespace gridcast::condor {

/// Of 012, and of 004 with a code below 1000, which is the code of the hold that follows.
history::Reason hold_reason(int code, int subcode, std::string_view text);

/// Of 004 and 007; code 0 where the log gives none.
history::Reason vacate_reason(int code, int subcode, std::string_view text);

/// Of 009 and 013: a person or an expression.
history::Reason decision_reason(std::string_view text);

/// Whether the input's transfer failed, which can be logged as "Finished transferring" all the
/// same.
bool input_failed(history::Reason reason, int code);
bool output_failed(history::Reason reason, int code);

}  // namespace gridcast::condor
