// What a row of a job table says of the job's attempts, one after the other, read for a replay.
#pragma once

#include <vector>

#include "sim/history/job_table.hpp"

namespace gridcast::engine {

/// One attempt as the record has it, and how it ended.
struct RecordedAttempt {
  Id<history::Site> site;
  Seconds transfer;  // until it arrived, or until the attempt ended
  bool transferred = false;
  Seconds execution;
  bool executed = false;
  Seconds teardown;
  Seconds computed;  // evicted: computing that lies somewhere in `transfer`
  history::EventKind ended_by =
      history::EventKind::submitted;  // submitted: nothing more is known of it
  history::Reason reason = history::Reason::none;
  bool useful = true;
  bool released = false;  // from the hold that ended it

  bool exits() const { return ended_by == history::EventKind::terminated; }
};

/// A job's row.
struct RecordedJob {
  std::vector<RecordedAttempt> attempts;
  // Of a job that was never matched: held, aborted, or submitted (nothing is known).
  history::EventKind ended_by = history::EventKind::submitted;
  history::Reason reason = history::Reason::none;

  bool succeeded() const {
    return !attempts.empty() && attempts.back().exits() && attempts.back().useful;
  }
};

/// All jobs in the table's order, and the history that names jobs and sites. A row that names no site
/// ran at the last one.
struct RecordedJobs {
  history::JobHistory names;  // no events
  std::vector<RecordedJob> jobs;
};

RecordedJobs read_attempts(history::JobTable const& table);

}  // namespace gridcast::engine
