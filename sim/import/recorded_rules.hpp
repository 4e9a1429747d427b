// The rules under which a record's jobs ran: retries, limits of time, and expressions of policy. A
// forecast that repeats recorded jobs needs them: rules of the next jobs that differ from them are
// simulated.
//
// An example: the record's jobs had no retries, and the next ones have max_retries = 3. A recorded
// job that ended with exit code 1 then starts again.
#pragma once

#include <optional>

#include "sim/condor/ads/job_ads.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::import {

struct RecordedRules {
  enum class From { ads, submit_file } from = From::ads;
  scenario::JobPolicy policy = {};
};

/// By JobMaxRetries, AllowedExecuteDuration and AllowedJobDuration of most jobs; none if no ad
/// contains its job's submission.
std::optional<RecordedRules> rules_of(condor::JobAds const& ads);

/// The strategy with the rules of the record in place of its own. Ads show retries and limits of
/// time; expressions of policy are then taken to be the same.
scenario::Strategy under_rules(scenario::Strategy strategy, RecordedRules const& rules);

}  // namespace gridcast::import
