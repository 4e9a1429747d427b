// Recorded jobs under other rules of their own, by records whose result under them is known.
#include "sim/engine/other_rules.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/statistics.hpp"
#include "tests/test.hpp"

namespace gridcast::engine {
namespace {

using history::EventKind;
using history::Reason;
using history::RecordedAttempt;
using scenario::JobPolicy;

constexpr std::size_t jobs_of_law = 4000;
constexpr double law_median_s = 3000, law_sd = 0.8, rule_limit_s = 5400;

/// A lognormal law of executions; a rule holds those that last longer than the limit.
history::RecordedJobs jobs_held_by_rule() {
  history::RecordedJobs jobs;
  for (std::size_t j = 0; j < jobs_of_law; ++j) {
    double const u = (static_cast<double>(j) + 0.5) / static_cast<double>(jobs_of_law);
    double const length = law_median_s * std::exp(law_sd * normal_quantile(u));
    RecordedAttempt attempt;
    attempt.executed = attempt.transferred = true;
    attempt.execution = Seconds(std::min(length, rule_limit_s));
    attempt.ended_by = length <= rule_limit_s ? EventKind::terminated : EventKind::held;
    attempt.reason = length <= rule_limit_s ? Reason::none : Reason::policy;
    jobs.jobs.emplace_back().attempts = {attempt};
  }
  return jobs;
}

JobPolicy holding_after(char const* seconds) {
  JobPolicy policy;
  policy.periodic_hold = classad::parse(std::string("time() - JobCurrentStartDate > ") + seconds);
  return policy;
}

auto held_count(history::RecordedJobs const& jobs) {
  return std::ranges::count(jobs.jobs, history::RecordedEnd::held, &history::RecordedJob::end);
}

/// One job whose only attempt a rule held.
history::RecordedJobs one_held(bool stores) {
  RecordedAttempt attempt;
  attempt.executed = attempt.transferred = true;
  attempt.stores = stores;
  attempt.execution = Seconds(600);
  attempt.ended_by = EventKind::held;
  attempt.reason = Reason::policy;
  history::RecordedJobs jobs;
  jobs.jobs.emplace_back().attempts = {attempt};
  return jobs;
}

}  // namespace

TEST_CASE("executions that periodic_hold ended continue by the law of all", "[rules]") {
  auto const jobs = under_other_rules(jobs_held_by_rule(), holding_after("5400"),
                                      holding_after("36000"), RandomStreams(1, 0));
  CHECK(held_count(jobs) == 0);
  for (double const at : {7200., 20000.}) {
    auto const beyond = std::ranges::count_if(
        jobs.jobs, [at](auto const& job) { return job.attempts.back().execution > Seconds(at); });
    double const share = 1 - normal_cdf(std::log(at / law_median_s) / law_sd);
    CHECK(static_cast<double>(beyond) / static_cast<double>(jobs_of_law) ==
          Approx(share).margin(0.01));
  }
}

TEST_CASE("under the record's own rules, recorded holds stay", "[rules]") {
  auto const recorded = jobs_held_by_rule();
  auto const same = holding_after("5400");
  CHECK(held_count(under_other_rules(recorded, same, same, RandomStreams(1, 0))) ==
        held_count(recorded));
  // A rule that the record did not have ended none of its executions.
  CHECK(held_count(under_other_rules(recorded, {}, same, RandomStreams(1, 0))) ==
        held_count(recorded));
}

TEST_CASE("on_exit_hold held a program with a code that it holds", "[rules]") {
  JobPolicy policy;
  policy.on_exit_hold = classad::parse("ExitCode == 7");
  JobPolicy retries;
  retries.max_retries = 3;
  RandomStreams const streams(1, 0);
  auto const jobs = under_other_rules(one_held(true), policy, retries, streams);
  CHECK(jobs.jobs[0].attempts[0].exit_code == 7);
  CHECK(jobs.jobs[0].attempts[0].fails());
  CHECK_FALSE(
      under_other_rules(one_held(true), policy, policy, streams).jobs[0].attempts[0].fails());
  // Without an output transfer, it was the other rule.
  policy.periodic_hold = retries.periodic_hold = classad::parse("NumJobStarts > 5");
  auto const running = under_other_rules(one_held(false), policy, retries, streams);
  CHECK_FALSE(running.jobs[0].attempts[0].fails());
}

}  // namespace gridcast::engine
