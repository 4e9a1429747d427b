// The memory and disk that jobs of a record needed, for jobs that request another amount.
//
// A job that requests as much as the recorded ones is held or evicted as often as they were. Where
// it requests another amount, or more after each failure, the record's needs decide instead of its
// holds, and steps are drawn from the processes: a repeated job would end as recorded.
#pragma once

#include <filesystem>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/import/submit_campaign.hpp"
#include "sim/ledger/requests.hpp"

namespace gridcast::import {

struct RecordedNeeds {
  ledger::NeededSizes memory = {}, disk = {};
  std::vector<int> exit_codes = {};  // of failed programs (sim/import/needs_of_record.hpp)
};

/// Puts the needs into the campaign, with a note, where its requests differ from the record's.
void set_needs(SubmitImport& import, RecordedNeeds const& needs,
               std::filesystem::path const& submit_file);

// The exit codes of programs that failed, from the record to the simulated jobs. ABORT-DAG-ON,
// UNLESS-EXIT and expressions of ExitCode depend on them.

/// In ascending order, minus the number for a signal; of more than a hundred failures a hundred,
/// evenly spaced.
std::vector<int> failed_exit_codes(history::JobHistory const& history);

/// Puts the codes into the campaign, unless all are 1, which is the simulation's own. Notes actions
/// of a DAG that none of the codes causes.
void set_exit_codes(SubmitImport& import, std::vector<int> codes,
                    std::filesystem::path const& file);

}  // namespace gridcast::import
