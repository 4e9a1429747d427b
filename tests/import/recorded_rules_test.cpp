// The rules under which a record's jobs ran.
#include "sim/import/recorded_rules.hpp"

#include "tests/test.hpp"

namespace gridcast::import {
namespace {

/// Ads of so many jobs, each with as many retries as the list says; -1: without the attribute.
condor::JobAds ads_with(std::vector<int> const& retries) {
  condor::JobAds ads;
  for (std::uint32_t i = 0; i < retries.size(); ++i) {
    auto& facts = ads.jobs[{1, i}].facts;
    facts.q_date = 1'800'000'000;
    if (retries[i] >= 0) facts.job_max_retries = static_cast<std::uint32_t>(retries[i]);
  }
  return ads;
}

TEST_CASE("Rules of a record are those of most of its jobs") {
  CHECK(rules_of(ads_with({2, 2, -1}))->policy.max_retries == 2);
  CHECK_FALSE(rules_of(ads_with({2, -1, -1}))->policy.max_retries);
  CHECK_FALSE(rules_of(ads_with({})));
  condor::JobAds transfers_alone = ads_with({2});
  transfers_alone.jobs.begin()->second.facts.q_date.reset();
  CHECK_FALSE(rules_of(transfers_alone));
}

TEST_CASE("Ads show retries and limits, a submit file shows all rules") {
  scenario::Strategy strategy;
  strategy.retry.policy.max_retries = 3;
  strategy.retry.policy.allowed_execute_duration = hours(1);
  strategy.retry.policy.periodic_hold = classad::parse("NumJobStarts > 3");
  RecordedRules rules;
  rules.policy.allowed_job_duration = hours(9);
  auto const by_ads = under_rules(strategy, rules).retry.policy;
  CHECK_FALSE(by_ads.max_retries);
  CHECK_FALSE(by_ads.allowed_execute_duration);
  CHECK(by_ads.allowed_job_duration == hours(9));
  CHECK(by_ads.periodic_hold == strategy.retry.policy.periodic_hold);
  rules.from = RecordedRules::From::submit_file;
  CHECK_FALSE(under_rules(strategy, rules).retry.policy.periodic_hold);
}

}  // namespace
}  // namespace gridcast::import
