// Which ads are of which log, where several campaigns use the same job numbers: those that date the
// jobs as the log does.
#pragma once

#include "sim/condor/ads/job_ads.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::import {

/// Whether most of the jobs that both know are the same jobs: submitted at the same time (QDate), or,
/// of ads that tell transfers alone, transferring within the job's life. Logs are in any time zone: of
/// submissions, what counts is the rest of a quarter of an hour, by which zones differ.
bool are_of_log(condor::JobAds const& ads, history::JobHistory const& log);

}  // namespace gridcast::import
