// A history as a workflow instance of WfCommons (WfFormat 1.5): tasks (jobs) without dependencies,
// their files, run times and machines. Names are restricted to the characters of its schema.
// Source: see sim/import/wfformat.hpp.
#pragma once

#include <string>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/scenario/campaign.hpp"

namespace gridcast::report {

/// `input`: the files that every job fetches, where they are known; else the URLs of the history's
/// transfers. Without an execution part if no job executed.
std::string wfformat_json(history::JobHistory const& history, std::string const& title,
                          std::vector<scenario::InputFile> const& input);

}  // namespace gridcast::report
