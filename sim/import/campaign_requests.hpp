// The requests of a campaign whose jobs differ in them: that of most jobs is the campaign's, the
// others have names. Example: request_gpus = $(Item) with queue 3 in (1) and queue 2 in (2) gives
// `request: {gpus: 1}`, `requests: {job: {gpus: 2}}`, and submissions of three and of two jobs.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "sim/condor/submit/submit_file.hpp"
#include "sim/import/submit_campaign.hpp"
#include "sim/scenario/request.hpp"

namespace gridcast::import {

/// True if the command, or the attribute that it sets, is part of a request.
bool is_of_request(std::string_view command);

/// The name of a request among the campaign's, which gets it if it is new: `stem`, with a number
/// if that name is taken. Empty for the request of most jobs, `most`, and for one beyond a hundred
/// others.
std::string name_request(scenario::Campaign& campaign, scenario::NamedRequest const& most,
                         scenario::NamedRequest request, std::string_view stem);

/// The request commands in which jobs of the file differ, and that each job can have of its own. A
/// request of memory or disk that depends on the job's attempts is a rule, which all jobs share.
/// Empty if the jobs have more than a hundred requests, or alternate more than a thousand times:
/// nobody reads such a scenario.
std::set<std::string> own_request_commands(condor::SubmitFile const& file);

/// Gives the jobs of each group their own request in the commands of `own`.
void take_each_request(condor::SubmitFile const& file, std::set<std::string> const& own,
                       SubmitImport& import);

}  // namespace gridcast::import
