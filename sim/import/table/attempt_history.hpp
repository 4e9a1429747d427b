// Attempts of a table -> job history, and back. The way there and back keeps what the ledger counts
// and what a calibration is fitted to: sites, slots, GPUs, programs, every phase of an attempt and
// how it ended. Not kept: when a transfer of output waited for its turn, which counts with the
// transfer, and events after an end of which no begin is known.
#pragma once

#include <string>
#include <vector>

#include "sim/condor/log/read_log.hpp"
#include "sim/history/job_history.hpp"
#include "sim/import/table/attempt_table.hpp"

namespace gridcast::import {

/// Jobs "12.3", "12" and "12_3" are called so; if one has another name, all are numbered from 1 in
/// the order of the table, and their names are their labels' nodes where the table has no `name`.
/// Attempts that overlap one before are left out, and noted.
history::JobHistory history_of(AttemptTable& table);

/// What came and went with each attempt that ended, as its row tells. Of a table that `history_of` has
/// made this history of.
std::vector<condor::LoggedRun> runs_of(AttemptTable const& table,
                                       history::JobHistory const& history);
history::BytesBySite bytes_of(AttemptTable const& table);

/// gridcast.attempts/1 of a history with dates. Times are ISO 8601 in UTC; where the history does not
/// know when it began, seconds since then. `runs`: what came and went with attempts, where the record
/// tells it.
std::string attempts_csv(history::JobHistory const& history,
                         std::vector<condor::LoggedRun> const& runs = {});

}  // namespace gridcast::import
