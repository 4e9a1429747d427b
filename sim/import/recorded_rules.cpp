#include "sim/import/recorded_rules.hpp"

#include <algorithm>
#include <map>

namespace gridcast::import {
namespace {

/// The most frequent value. Most jobs may have none.
template <class Value>
std::optional<Value> of_most(condor::JobAds const& ads,
                             std::optional<Value> condor::JobAdFacts::*member) {
  std::map<std::optional<Value>, std::size_t> jobs;
  for (auto const& [name, ad] : ads.jobs) {
    if (ad.facts.q_date) ++jobs[ad.facts.*member];
  }
  return std::ranges::max_element(jobs, {},
                                  &std::pair<std::optional<Value> const, std::size_t>::second)
      ->first;
}

}  // namespace

std::optional<scenario::JobPolicy> rules_of(condor::JobAds const& ads) {
  bool const some = std::ranges::any_of(
      ads.jobs, [](auto const& job) { return job.second.facts.q_date.has_value(); });
  if (!some) return std::nullopt;
  using Facts = condor::JobAdFacts;
  scenario::JobPolicy policy;
  if (auto const retries = of_most(ads, &Facts::job_max_retries)) {
    policy.max_retries = static_cast<int>(*retries);
  }
  policy.allowed_execute_duration = of_most(ads, &Facts::allowed_execute_duration);
  policy.allowed_job_duration = of_most(ads, &Facts::allowed_job_duration);
  return policy;
}

scenario::JobPolicy rules_of_own_file(scenario::JobPolicy policy) {
  scenario::JobPolicy const unknown;
  policy.max_retries = unknown.max_retries;
  policy.retry_until = unknown.retry_until;
  policy.on_exit_hold = unknown.on_exit_hold;
  policy.on_exit_remove = unknown.on_exit_remove;
  policy.allowed_execute_duration = unknown.allowed_execute_duration;
  policy.allowed_job_duration = unknown.allowed_job_duration;
  return policy;
}

void judge_exits(history::JobHistory& record, int success_exit_code) {
  for (history::JobEvent& event : record.events) {
    bool const ends = event.kind == history::EventKind::terminated && event.exit_code >= 0;
    if (!ends || success_exit_code == 0) continue;
    event.useful = event.exit_code == success_exit_code;
    event.reason = event.useful ? history::Reason::none : history::Reason::exit_code;
  }
}

scenario::Strategy under_rules(scenario::Strategy strategy, scenario::JobPolicy const& recorded) {
  scenario::JobPolicy& own = strategy.retry.policy;
  own.max_retries = recorded.max_retries;
  own.retry_until = recorded.retry_until;
  own.success_exit_code = recorded.success_exit_code;
  own.allowed_execute_duration = recorded.allowed_execute_duration;
  own.allowed_job_duration = recorded.allowed_job_duration;
  own.periodic_hold = recorded.periodic_hold;
  own.periodic_release = recorded.periodic_release;
  own.periodic_remove = recorded.periodic_remove;
  own.periodic_vacate = recorded.periodic_vacate;
  own.on_exit_hold = recorded.on_exit_hold;
  own.on_exit_remove = recorded.on_exit_remove;
  own.periodic_hold_subcode = recorded.periodic_hold_subcode;
  own.on_exit_hold_subcode = recorded.on_exit_hold_subcode;
  return strategy;
}

}  // namespace gridcast::import
