// One line of a campaign's life, in the words of HTCondor's job event log.
//
// The kinds are the log's event numbers (docs: job-event-log-codes). Two things that the log tells
// in words are kept as fields: why a transfer failed, and whether a result is of use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "sim/base/units.hpp"

namespace gridcast::history {

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
  requeued,                  // 004 "terminated and was requeued": the exit was not the wanted one
  checkpointed,              // a checkpoint is safe and the job goes on (040 output, or 003)
  suspended,                 // 010
  unsuspended,               // 011
  disconnected,              // 022
  reconnected,               // 023
  reconnect_failed,          // 024, with the 004 that follows: the attempt is lost
  transfer_input_queued,     // 040 when claimed already: waits for a transfer slot
  transfer_output_queued,    // 040
};

/// Where a job stands in the queue, as the attribute JobStatus of its ad has it (HTCondor manual,
/// "Job ClassAd Attributes").
enum class JobStatus {
  idle = 1,
  running,
  removed,
  completed,
  held,
  transferring_output,
  suspended
};

/// Why an attempt ended, or a job was held or released.
enum class Reason : std::uint8_t {
  none,
  transfer_stalled,    // ended by the stall timer: no progress seen for as long as it waits
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
  transfer_timeout,    // the plugin outlived MAX_FILE_TRANSFER_PLUGIN_LIFETIME (13/62)
  output_missing,      // a file to bring back is not there (12/2): the program died before
  output_failed,       // output transfer failed otherwise (12)
  checkpoint_failed,   // 36
  exit_code,           // the program's exit was not the wanted one
  killed_by_signal,    // ... or it died of a signal
  vacated,             // condor_vacate_job, a site's command, preemption, draining
  lost_contact,        // disconnected for longer than the lease
  out_of_resources,    // 34: memory or disk beyond the request
  job_too_long,        // allowed_job_duration, hold code 46
  system,              // another code of HTCondor's own; the code says which
  unknown,             // the source gives no reason
};

template <class Value>
constexpr bool is_one_of(Value value, std::initializer_list<Value> some) {
  for (Value const each : some) {
    if (each == value) return true;
  }
  return false;
}

inline constexpr std::size_t reason_count = 24;

/// "transfer_stalled": its name in CSV and JSON.
std::string_view name(Reason reason);

/// Whether the job leaves its slot with it. An attempt of a history is
///   matched [transfer_input_queued] transfer_input_started transfer_input_finished executing
///   {transfer_output_started checkpointed} [transfer_output_started transfer_output_finished]
/// with suspensions and disconnections in between, and ends with exactly one event of these kinds,
/// wherever it stands then: one loss is one event.
bool ends_attempt(EventKind kind);

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
  std::uint32_t slot = 0;  // JobHistory::slots, or if that is empty, slot number at the site
  bool useful = true;      // of `terminated`: the result is what the job was for
  Seconds executed{};  // of an event that ends an attempt: TimeExecute, where the source gives it
                       // apart from an `executing` event (job tables); else zero
  std::uint16_t gpus = 0;      // of executing: 1 + index into JobHistory::gpus; 0: not told
  std::int16_t code = 0;       // hold or vacate code as logged; 0 if none
  std::int16_t exit_code = 0;  // of terminated and requeued; minus the signal's number if killed
  std::int32_t subcode = 0;
  std::uint16_t epochs = 0;  // of executing: pieces of work done until the attempt ended, where the
                             // source counts them (tables of attempts); 0: not told
};

/// Whether the attempt was ended by the timer on its input transfer: logged as 004 with the starter's
/// words in 021 (HTCondor 23.8 and later, vacate code 1007), or as 007. The job is idle again.
bool ended_by_stall_timer(JobEvent const& event);

/// What distinguishes one ending of an attempt, or one hold, from another.
struct Ending {
  EventKind kind = EventKind::evicted;
  Reason reason = Reason::none;
  int code = 0, subcode = 0;  // hold or vacate code; 0 where the log gives none
  int exit_code = 0;          // of requeued and terminated; minus the signal's number
  bool others = false;        // of a table: all endings beyond its first kinds together
  bool operator==(Ending const&) const = default;
};

/// The ending that an event is, as far as endings differ in it.
Ending ending_of(JobEvent const& event);

}  // namespace gridcast::history
