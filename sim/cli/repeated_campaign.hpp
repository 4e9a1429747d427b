// A recorded campaign as the next one, for a record without a submit file: its submissions, GPUs
// and input, under HTCondor's default rules.
#pragma once

#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/history/job_history.hpp"
#include "sim/import/submit_campaign.hpp"
#include "sim/scenario/campaign.hpp"

namespace gridcast::cli {

/// The submissions of the record, those of one second together.
std::vector<scenario::Submission> submissions(history::JobHistory const& history);

/// `received`: the input of a job (import::usual_input). A log without ads has no sizes of files,
/// which then share these bytes. A size that nothing shows is one byte.
auto repeated_campaign(std::string const& name, history::JobHistory const& history, Bytes received)
    -> import::SubmitImport;

}  // namespace gridcast::cli
