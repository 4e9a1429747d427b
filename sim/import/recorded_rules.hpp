// The rules under which a record's jobs ran: retries, limits of time, and expressions of policy. A
// forecast that repeats recorded jobs needs them: rules of the next jobs that differ from them are
// simulated.
//
// Unknown rules count as HTCondor's defaults. If the record's jobs had the rules of the next jobs,
// the simulated rules repeat the record: four attempts that ended with exit code 1 remain four
// attempts under max_retries = 3.
//
// An example: the record's jobs had no retries, and the next ones have max_retries = 3. A recorded
// job that ended with exit code 1 then starts again.
#pragma once

#include <optional>

#include "sim/condor/ads/job_ads.hpp"
#include "sim/history/job_history.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::import {

/// By JobMaxRetries, AllowedExecuteDuration and AllowedJobDuration of most jobs; none if no ad
/// contains its job's submission.
std::optional<scenario::JobPolicy> rules_of(condor::JobAds const& ads);

/// Of the submit file that names the record as its log. Its owner may have changed the number of
/// retries or a limit since: these count as unknown, so they act on the recorded executions.
scenario::JobPolicy rules_of_own_file(scenario::JobPolicy policy);

/// The record's programs as its success_exit_code judges them: logs and ads take 0 for a success.
void judge_exits(history::JobHistory& record, int success_exit_code);

/// The strategy with the rules of `recorded` in place of its own.
scenario::Strategy under_rules(scenario::Strategy strategy, scenario::JobPolicy const& recorded);

/// The submit file of recorded jobs, as far as forecasts that repeat them differ in it.
struct RecordedSubmission {
  scenario::JobPolicy policy;
  scenario::Request request = {};
  int max_materialize = 0;
};

}  // namespace gridcast::import
