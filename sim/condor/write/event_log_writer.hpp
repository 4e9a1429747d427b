// A history as HTCondor's job event log, in the text format that all of its tools read (JSON and
// XML stop some of them). Grammar: condor_event.cpp of HTCondor 9 to 25. A reader of the log gets
// the same history, to the second.
//
// One event of a history can be several of the log: a hold of a running job is an error of the
// starter (021), an eviction (004) and a hold (012), a lost connection 024 and 004.
//
// Known to no history and therefore not written: image sizes (006), CPU time other than the
// execution itself, memory and disk used. A stall is logged as lasting since its transfer began.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/condor/log/read_log.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

/// The two ways in which evictions and terminations are worded. 23.9: "Job was evicted." and the
/// time at which the job ended "of its own accord". 25: "Job was evicted. Code C Subcode S" with a
/// "Reason:", and no such time.
enum class CondorVersion : std::uint8_t { v23_9, v25 };

/// The date of time zero by default.
inline constexpr std::chrono::sys_seconds usual_log_start =
    std::chrono::sys_days(std::chrono::year(2024) / 8 / 12) + std::chrono::hours(9);

/// Below each submission of a simulated job.
inline constexpr char simulated_note[] = "simulated by gridcast";

/// The properties of a written log besides the history, and the kind of the jobs, which no history
/// contains.
struct EventLogOptions {
  CondorVersion version = CondorVersion::v23_9;
  bool sub_second = false;  // dates with milliseconds
  /// A shadow that has reconnected logs no output transfers, and so no checkpoints that come with
  /// them: none is in the 11 executions of calibration/data that ended after a 023. They are
  /// written all the same: a reader of the log then has the whole history. For comparison with real
  /// logs they can be left out.
  bool silent_after_reconnect = false;
  /// The date of time zero; else the history's own, else 2024-08-12 09:00:00 UTC.
  std::optional<std::chrono::sys_seconds> start;
  /// The note below each submission; none if empty.
  std::string note = simulated_note;
  /// The input of a job, for the reasons of failed transfers and the bytes received.
  std::string url = "osdf:///nrp/osdf/ILSVRC2012/ILSVRC2012_img_train.tar";
  Bytes input = Bytes(137e9);
  /// The request of a job and its slot. Zero memory or disk: not known, and not in the tables. The
  /// GPUs of an attempt are the history's where it has them; a job whose slot has others requested
  /// these, as its request depends on the slot.
  int cpus = 1;
  int gpus = 1;
  std::int64_t memory_mb = 16384;
  Bytes disk = Bytes(350e9);
  /// GLIDEIN_ResourceName of the history's sites, by index; empty: their names.
  std::vector<std::string> resources = {};
  /// Slots that a pilot holds, at the history's sites by index; 1 where it is unknown.
  std::vector<std::uint32_t> slots_per_pilot = {};
  /// The limits that holds 47, 46 and 32 and lost connections speak of.
  Seconds allowed_execute = hours(20);
  Seconds allowed_job = hours(72);
  int max_transfer_input_mb = 5000;
  /// Bytes in and out with each attempt, where a record has them.
  std::vector<LoggedRun> runs = {};
  Seconds job_lease = Seconds(2400);
};

/// The options of a log whose jobs are not known: no note, no input, no sizes.
EventLogOptions options_of_unknown_jobs();

/// Takes one event after the other, in the order of time.
class EventLogWriter {
 public:
  /// Uses the jobs, sites and slots of `names`, and its date of time zero. `names` and `out` have
  /// to outlive the writer.
  EventLogWriter(JobHistory const& names, std::ostream& out, EventLogOptions const& options);
  ~EventLogWriter();
  EventLogWriter(EventLogWriter const&) = delete;
  EventLogWriter& operator=(EventLogWriter const&) = delete;

  void add(JobEvent const& event);
  /// No event of the job will follow.
  void forget(Id<history::Job> job);
  void finish();

 private:
  class Formatter;
  std::unique_ptr<Formatter> formatter_;
};

/// Throws InputError for a history without dates: a log cannot be written without them.
void write_event_log(JobHistory const& history, std::ostream& out,
                     EventLogOptions const& options = {});

}  // namespace gridcast::condor
