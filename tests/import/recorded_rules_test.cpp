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
  CHECK(rules_of(ads_with({2, 2, -1}))->max_retries == 2);
  CHECK_FALSE(rules_of(ads_with({2, -1, -1}))->max_retries);
  CHECK_FALSE(rules_of(ads_with({})));
  condor::JobAds transfers_alone = ads_with({2});
  transfers_alone.jobs.begin()->second.facts.q_date.reset();
  CHECK_FALSE(rules_of(transfers_alone));
}

TEST_CASE("The submit file's success_exit_code judges a record's programs") {
  history::JobHistory record;
  for (int const code : {3, 0, 1, -9}) {
    record.events.push_back({.kind = history::EventKind::terminated,
                             .reason = code == 0  ? history::Reason::none
                                       : code < 0 ? history::Reason::killed_by_signal
                                                  : history::Reason::exit_code,
                             .useful = code == 0,
                             .exit_code = static_cast<std::int16_t>(code)});
  }
  auto const useful = [&record](int success) {
    judge_exits(record, success);
    std::vector<bool> found;
    for (history::JobEvent const& event : record.events) found.push_back(event.useful);
    return found;
  };
  CHECK(useful(0) == std::vector{false, true, false, false});
  CHECK(useful(3) == std::vector{true, false, false, false});
  CHECK(record.events[0].reason == history::Reason::none);
  CHECK(record.events[1].reason == history::Reason::exit_code);
  CHECK(record.events[3].reason == history::Reason::killed_by_signal);
}

TEST_CASE("A strategy under the rules of a record keeps all that is no rule") {
  scenario::Strategy strategy;
  strategy.retry.policy.max_retries = 3;
  strategy.retry.policy.allowed_execute_duration = hours(1);
  strategy.retry.policy.periodic_hold = classad::parse("NumJobStarts > 3");
  strategy.retry.policy.job_lease_duration = minutes(10);
  scenario::JobPolicy recorded;
  recorded.allowed_job_duration = hours(9);
  auto const policy = under_rules(strategy, recorded).retry.policy;
  CHECK_FALSE(policy.max_retries);
  CHECK_FALSE(policy.allowed_execute_duration);
  CHECK_FALSE(policy.periodic_hold);
  CHECK(policy.allowed_job_duration == hours(9));
  CHECK(policy.job_lease_duration == minutes(10));
}

}  // namespace
}  // namespace gridcast::import
