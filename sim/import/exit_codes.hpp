// The exit codes of programs that failed, from the record to the simulated jobs. ABORT-DAG-ON,
// UNLESS-EXIT and expressions of ExitCode depend on them.
#pragma once

#include <filesystem>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/import/submit_campaign.hpp"

namespace gridcast::import {

/// In ascending order, minus the number for a signal; of more than a hundred failures a hundred,
/// evenly spaced.
std::vector<int> failed_exit_codes(history::JobHistory const& history);

/// Puts the codes into the campaign, unless all are 1, which is the simulation's own. Notes actions
/// of a DAG that none of the codes causes.
void set_exit_codes(SubmitImport& import, std::vector<int> codes,
                    std::filesystem::path const& file);

}  // namespace gridcast::import
