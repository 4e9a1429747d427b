// What a record says of its jobs' attempts, one after the other, read for a replay.
//
// Of an event log each attempt is there with what it waited for, how long each of its steps took,
// and what ended it. Of a job table each is a share of its row's sums
// (sim/history/job_table_history.cpp): nothing is known of waiting, and a failed attempt that is no
// eviction is one of a bad time, whatever the row counts it as.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/history/job_history.hpp"

namespace gridcast::engine {

/// What became of a job that was held.
enum class AfterHold : std::uint8_t { stays, released, removed };

/// The steps of an attempt, in their order.
enum class RecordedStep : std::uint8_t { lead, transfer, setup, execution, teardown };

/// Something that happened within a step: a suspension, contact lost or found; within an execution
/// also a checkpoint.
struct RecordedMoment {
  RecordedStep step;
  Seconds at;  // since the step began
  history::EventKind kind;
};

/// One attempt as the record has it, and how it ended.
struct RecordedAttempt {
  Id<history::Site> site;
  Seconds wait;         // in the queue before it; of the job's first one not told
  Seconds lead;         // from the match to the start of its input transfer
  bool fetches = true;  // it did not end before its input transfer
  Seconds transfer;     // until it arrived, or until the attempt ended
  bool transferred = false;
  Seconds setup;  // until the execution, or until the attempt ended
  Seconds execution;
  bool executed = false;
  bool stores = false;  // its output transfer began
  Seconds teardown;
  std::vector<RecordedMoment> during = {};  // in order
  Seconds computed;                         // evicted: computing that lies somewhere in `transfer`
  std::uint16_t gpus = 0;
  history::EventKind ended_by =
      history::EventKind::submitted;  // a stall is a shadow_exception, however it was logged
  history::Reason reason = history::Reason::none;
  bool useful = true;
  bool in_queue = false;  // no attempt: what held or removed the job while it was idle
  /// Its transfer failed in a way that outlasts an attempt, which the strategy's rules act on.
  bool in_bad_time = false;
  int subcode = 0;  // of a plugin that gave up, as its hold or vacate tells it; 0: not told
  AfterHold after_hold = AfterHold::stays;
  Seconds held_for;  // until released or removed

  Seconds length_of(RecordedStep step) const;
  bool exits() const { return ended_by == history::EventKind::terminated; }
};

/// What the record tells of a job, in order; nothing more of one that is still in the queue.
struct RecordedJob {
  std::vector<RecordedAttempt> attempts;

  bool succeeded() const {
    return !attempts.empty() && attempts.back().exits() && attempts.back().useful;
  }
};

/// All jobs in the record's order, and the history that names jobs and sites. What names no site
/// ran at the last one.
struct RecordedJobs {
  history::JobHistory names;  // no events
  std::vector<RecordedJob> jobs;
  Seconds usual_wait;  // between two attempts of a job, the median
};

RecordedJobs read_attempts(history::JobHistory const& history);

}  // namespace gridcast::engine
