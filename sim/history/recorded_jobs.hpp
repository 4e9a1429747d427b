// The attempts of a record's jobs, one after the other. Replays and resampled forecasts read them.
//
// An event log gives each attempt with its wait, the length of each step, and its ending. A job
// table gives sums: each attempt has a share of them (sim/history/job_table_history.cpp). A table
// knows nothing of waiting, and a failed attempt that is no eviction belongs to a bad time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/history/job_history.hpp"

namespace gridcast::history {

/// The outcome of a hold.
enum class AfterHold : std::uint8_t { stays, released, removed };

/// The steps of an attempt, in their order.
enum class RecordedStep : std::uint8_t { lead, transfer, setup, execution, teardown };

/// Something that happened within a step: a suspension, contact lost or found; within an execution
/// also a checkpoint.
struct RecordedMoment {
  RecordedStep step;
  Seconds at;  // since the step began
  EventKind kind;

  static void fields(auto& row, auto& moment) {
    row("step", moment.step);
    row("at_s", moment.at);
    row("kind", moment.kind);
  }
};

/// One attempt as the record has it, and how it ended.
struct RecordedAttempt {
  Id<Site> site;
  std::uint32_t host = 0;  // in RecordedJobs::hosts, from 1; 0: the record does not name it
  Seconds wait;            // in the queue before it; zero for the job's first one
  Seconds lead;            // from the match to the start of its input transfer
  bool fetches = true;     // it did not end before its input transfer
  Seconds transfer;        // until it arrived, or until the attempt ended
  bool transferred = false;
  Seconds setup;  // until the execution, or until the attempt ended
  Seconds execution;
  bool executed = false;
  bool stores = false;  // its output transfer began
  Seconds teardown;
  std::vector<RecordedMoment> during = {};  // in order
  Seconds computed;                         // evicted: computing that lies somewhere in `transfer`
  std::uint16_t gpus = 0;
  EventKind ended_by =
      EventKind::submitted;  // a stall is a shadow_exception, however it was logged
  Reason reason = Reason::none;
  bool useful = true;
  bool open = false;      // it was in a slot when the record ended
  bool in_queue = false;  // no attempt: a hold or removal of the job while it was idle
  /// Its transfer failed in a way that outlasts an attempt, which the strategy's rules act on.
  bool in_bad_time = false;
  int exit_code = 0;   // of a program that came to its end; minus the signal's number; 0: unknown
  int subcode = 0;     // of a plugin that gave up, as in its hold or vacate; 0: unknown
  HoldCode hold = {};  // as recorded; 0: unknown, or not held
  AfterHold after_hold = AfterHold::stays;
  Seconds held_for;                 // until released or removed
  bool after_hold_by_rule = false;  // a periodic expression did it, and no person

  Seconds length_of(RecordedStep step) const;
  /// The time that it occupied a slot.
  Seconds slot_time() const { return lead + transfer + setup + execution + teardown; }
  /// The part of its execution that its last checkpoint saved.
  Seconds saved() const {
    Seconds part;
    for (RecordedMoment const& moment : during) {
      if (moment.kind == EventKind::checkpointed) part = moment.at;
    }
    return part;
  }
  bool exits() const { return ended_by == EventKind::terminated; }
  /// A rule on exits held the job (on_exit_hold), as under_other_rules finds.
  bool held_at_exit() const { return ended_by == EventKind::held && !useful; }
  /// Its program came to its end without a result.
  bool fails() const {
    bool const requeued = ended_by == EventKind::requeued && reason != Reason::none;
    return requeued || held_at_exit() || (exits() && !useful);
  }

  static void fields(auto& row, auto& attempt) {
    std::uint32_t site = attempt.site.valid() ? attempt.site.number() + 1 : 0;
    row.unless_empty("site", site);
    if constexpr (std::remove_cvref_t<decltype(row)>::reads) {
      attempt.site = site > 0 ? Id<Site>(site - 1) : Id<Site>();
    }
    row.unless_empty("host", attempt.host);
    row("wait_s", attempt.wait);
    row("lead_s", attempt.lead);
    row("fetches", attempt.fetches);
    row("transfer_s", attempt.transfer);
    row("transferred", attempt.transferred);
    row("setup_s", attempt.setup);
    row("execution_s", attempt.execution);
    row("executed", attempt.executed);
    row("stores", attempt.stores);
    row("teardown_s", attempt.teardown);
    row.unless_empty("during", attempt.during);
    row("computed_s", attempt.computed);
    row.unless_empty("gpus", attempt.gpus);
    row("ended_by", attempt.ended_by);
    row.unless_empty("reason", attempt.reason);
    row("useful", attempt.useful);
    row.unless_empty("open", attempt.open);
    row.unless_empty("in_queue", attempt.in_queue);
    row.unless_empty("in_bad_time", attempt.in_bad_time);
    row.unless_empty("exit_code", attempt.exit_code);
    row.unless_empty("subcode", attempt.subcode);
    row.unless_empty("hold_code", attempt.hold.code);
    row.unless_empty("hold_subcode", attempt.hold.subcode);
    row.unless_empty("after_hold", attempt.after_hold);
    row("held_for_s", attempt.held_for);
    row.unless_empty("after_hold_by_rule", attempt.after_hold_by_rule);
  }
};

/// How a recorded job ended. `unfinished`: it was in the queue when the record ended.
enum class RecordedEnd : std::uint8_t { succeeded, wrong_output, held, removed, unfinished };
inline constexpr std::size_t recorded_end_count = 5;

/// The attempts of a job, in order. A job that never left the queue has none.
struct RecordedJob {
  std::vector<RecordedAttempt> attempts = {};
  Seconds submitted = {};     // since the record's first submission
  Seconds first_wait = {};    // from the submission to the first attempt
  std::uint32_t cluster = 0;  // of its name
  std::uint32_t program = 0;  // in RecordedJobs::programs, from 1; 0: not distinguished

  RecordedEnd end() const;
  bool succeeded() const { return end() == RecordedEnd::succeeded; }

  static void fields(auto& row, auto& job) {
    row("cluster", job.cluster);
    row.unless_empty("program", job.program);
    row("submitted_s", job.submitted);
    row("first_wait_s", job.first_wait);
    row("attempts", job.attempts);
  }
};

/// All jobs in the record's order, and the history that names jobs and sites. Attempts without a
/// site ran at the last one.
struct RecordedJobs {
  JobHistory names;  // no events
  std::vector<std::string> hosts = {};
  std::vector<std::string> programs = {};  // if their works differ
  std::vector<RecordedJob> jobs;
  Seconds usual_wait;  // between two attempts of a job, the median
};

RecordedJobs read_attempts(JobHistory const& history);

/// True if an attempt in a slot is on another host than these, or on one without a name.
bool has_other_hosts(RecordedJobs const& recorded, std::vector<std::string> const& hosts);

// The jobs of a record as a file beside a calibration: a forecast can repeat them without the
// record. JSON; schema gridcast.jobs/1. Times are seconds.
//
//   {"schema": "gridcast.jobs/1", "sites": ["PDX"], "gpus": [{"model": "V100", "count": 1}],
//    "gpus_per_job": 1, "jobs": [{"cluster": 7, "submitted_s": 0, "attempts": [...]}]}

/// The text of the file. Job names are left out: a forecast names its own jobs.
std::string recorded_jobs_text(RecordedJobs const& recorded);

/// InputError for a file that is absent, is not of this schema, or contains impossible values.
RecordedJobs read_recorded_jobs(std::filesystem::path const& file);

// The slots that a recorded campaign had. The record shows when the campaign first had one slot,
// two slots, ... at a time. Each of them then serves one job after the other, with a pause between
// them (the negotiator, other users' jobs). The pause is the value with which list scheduling of
// the recorded attempts begins the last job when the record does, at most the longest wait in the
// queue. It is zero where no such pause changes the last start: that job found a free slot.

struct SlotSupply {
  std::vector<Seconds> first_free;  // of each slot, since the first submission, ascending
  Seconds pause;                    // from the end of an attempt to the next one in the slot
};

/// A recorded campaign that forecasts repeat.
struct RecordedCampaign {
  RecordedJobs jobs;
  SlotSupply slots;
};

/// When the campaign first had one slot, two slots, ... at a time.
std::vector<Seconds> first_free_slots(RecordedJobs const& recorded);

/// O(n log n) in the attempts. A record whose jobs had no slot has no supply.
SlotSupply slot_supply(RecordedJobs const& recorded);

}  // namespace gridcast::history
