// Some of a record's jobs: those that a ClassAd expression holds for, and those submitted in a time.
// Attributes that the expression can name, as far as the record tells them:
//   ClusterId, ProcId          the job's name
//   QDate                      its submission, Unix seconds
//   DAGNodeName, JobBatchName, Cmd, Args
//   NumShadowStarts, NumJobStarts, NumHolds
//   ExitCode, JobStatus        of its end (4 completed, 3 removed, 5 held, 1 otherwise)
//   GLIDEIN_ResourceName, GPUs, DeviceName   of its last execution
//   RemoteWallClockTime        seconds in slots
#pragma once

#include <cstddef>
#include <string>

#include "sim/history/job_history.hpp"

namespace gridcast::import {

struct RecordFilter {
  std::string where = {};              // ClassAd expression; empty: all
  std::string since = {}, until = {};  // 2025-11-05, or 2025-11-05T20:00:00, of the record's clock
  bool is_empty() const { return where.empty() && since.empty() && until.empty(); }
};

struct FilteredRecord {
  history::JobHistory history;
  std::size_t left_out = 0;  // jobs
};

/// InputError for what is no expression or date, for names that no job has, and if no job is left.
FilteredRecord filtered(history::JobHistory history, RecordFilter const& filter);

}  // namespace gridcast::import
