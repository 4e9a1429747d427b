// Attempts of a table -> job history, and back. The way there and back keeps what the ledger counts
// and what a calibration is fitted to: sites, slots, GPUs, programs, every phase of an attempt and
// how it ended. Not kept: when a transfer of output waited for its turn, which counts with the
// transfer, and events after an end of which no begin is known.
#pragma once

#include <string>

#include "sim/history/job_history.hpp"
#include "sim/import/table/attempt_table.hpp"

namespace gridcast::import {

/// Jobs "12.3", "12" and "12_3" are called so; if one has another name, all are numbered from 1 in
/// the order of the table, and their names are their labels' nodes where the table has no `name`.
/// Attempts that overlap one before are left out, and noted.
history::JobHistory history_of(AttemptTable& table);

/// gridcast.attempts/1 of a history with dates. Times are ISO 8601 in UTC; where the history does not
/// know when it began, seconds since then.
std::string attempts_csv(history::JobHistory const& history);

}  // namespace gridcast::import
