// One line of a campaign's life, in the words of HTCondor's job event log.
//
// The kinds are the log's event numbers (docs: job-event-log-codes). Two things that the log tells
// in words are kept as fields: why a transfer failed, and whether a result is of use.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/base/id.hpp"
#include "sim/base/units.hpp"

namespace gridcast {

struct Job;   // tag of Id<Job>: index into JobHistory::jobs
struct Site;  // tag of Id<Site>: index into JobHistory::sites

enum class EventKind : std::uint8_t {
  submitted,  // 000
  matched,    // a claim is activated for the job; the log shows it as 040 "Entered queue"
  transfer_input_started,    // 040
  transfer_input_finished,   // 040
  executing,                 // 001
  transfer_output_started,   // 040
  transfer_output_finished,  // 040
  terminated,                // 005
  evicted,                   // 004
  shadow_exception,          // 007: the attempt failed and the job is requeued (idle)
  held,                      // 012
  released,                  // 013
  aborted,                   // 009: removed by its owner
};

/// Why an attempt ended, or a job was held or released.
enum class Reason : std::uint8_t {
  none,
  transfer_stalled,    // no byte for as long as the strategy waits
  transfer_failed,     // the transfer plugin gave up (retryable)
  not_found,           // 404: no such object, not retryable
  no_progress,         // the curl plugin's "Aborted due to lack of progress"
  input_too_large,     // MAX_TRANSFER_INPUT_MB, hold code 32
  execution_too_long,  // allowed_execute_duration, hold code 47
  pilot_ended,         // the glidein was killed or reached its end
  site_network_down,   // the job finished at once without a result
  corrupt_input,       // the archive did not unpack
  manual,              // a person did it
  policy,              // a periodic expression did it
};

std::string_view name(Reason reason);

/// HTCondor's hold code and subcode for a reason (job-event-log-codes, HoldReasonCode); 0 if none.
struct HoldCode {
  int code = 0;
  int subcode = 0;
};
HoldCode hold_code(Reason reason);

struct JobEvent {
  Seconds at{};  // since the campaign's first submission
  Id<Job> job{};
  EventKind kind = EventKind::submitted;
  Reason reason = Reason::none;
  Id<Site> site{};         // where the job is or was; none while idle
  std::uint32_t slot = 0;  // slot number at the site
  bool useful = true;      // of `terminated`: the result is what the job was for
  Seconds executed{};  // of an event that ends an attempt: TimeExecute, where the source gives it
                       // apart from an `executing` event (job tables); else zero
};

}  // namespace gridcast
