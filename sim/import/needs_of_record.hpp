// The memory and disk that jobs of a record needed, for jobs that request another amount.
//
// With requests under which each recorded job would have been stopped or not as it was, jobs repeat
// the record. With others, or with requests that grow after each failure, the record's needs decide
// instead of its holds, and steps are drawn from the processes: a repeated job would end as
// recorded. Needs are those of the submit file's program, if the record names it, else of all jobs.
//
// A pool that lets jobs use more than they request stops none: then no request has an effect. It is
// such a pool if more jobs, and a twentieth of all at least, used more than their request and their
// slot's amount than were stopped.
//
// An example: 39 jobs requested 8 GB and one 1 GB; half of them used 3 GB, and none was stopped. A
// request of 2 GB stops that half.
#pragma once

#include <filesystem>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/import/submit_campaign.hpp"
#include "sim/ledger/requests.hpp"

namespace gridcast::import {

struct RecordedNeeds {
  std::vector<ledger::JobNeed> memory = {}, disk = {};
  std::vector<int> exit_codes = {};  // of failed programs
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
