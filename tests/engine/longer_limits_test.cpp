#include "sim/engine/longer_limits.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/statistics.hpp"
#include "tests/test.hpp"

namespace gridcast::engine {
namespace {

using history::EventKind;
using history::Reason;
using history::RecordedAttempt;

constexpr std::size_t job_count = 4000;
constexpr double median_s = 3000, sd = 0.8;
constexpr Seconds limit(5400);

double length(std::size_t job) {
  double const u = (static_cast<double>(job) + 0.5) / static_cast<double>(job_count);
  return median_s * std::exp(sd * normal_quantile(u));
}

/// Executions of a lognormal law. Those beyond the limit are held there.
history::RecordedJobs limited_jobs() {
  history::RecordedJobs jobs;
  for (std::size_t j = 0; j < job_count; ++j) {
    RecordedAttempt attempt;
    attempt.executed = attempt.transferred = true;
    bool const ends = length(j) <= limit.value();
    attempt.execution = std::min(Seconds(length(j)), limit);
    attempt.ended_by = ends ? EventKind::terminated : EventKind::held;
    attempt.reason = ends ? Reason::none : Reason::execution_too_long;
    jobs.jobs.emplace_back().attempts = {attempt};
  }
  return jobs;
}

double share_beyond(history::RecordedJobs const& jobs, double seconds) {
  auto const beyond = std::ranges::count_if(
      jobs.jobs, [&](auto const& job) { return job.attempts.back().execution.value() > seconds; });
  return static_cast<double>(beyond) / static_cast<double>(jobs.jobs.size());
}

}  // namespace

TEST_CASE("executions under a longer limit continue by the law of all", "[limits]") {
  auto const jobs = under_longer_limit(limited_jobs(), {limit, hours(100)}, RandomStreams(1, 0));
  for (double const at : {7200., 10800., 20000.}) {
    double const beyond = 1 - normal_cdf(std::log(at / median_s) / sd);
    CHECK(share_beyond(jobs, at) == Approx(beyond).margin(0.01));
  }
  CHECK(std::ranges::all_of(jobs.jobs, &history::RecordedJob::succeeded));
}

TEST_CASE("executions stay as recorded if the limit is not longer", "[limits]") {
  auto const recorded = limited_jobs();
  auto const held = [](history::RecordedJobs const& jobs) {
    return std::ranges::count(jobs.jobs, history::RecordedEnd::held, &history::RecordedJob::end);
  };
  for (auto const& change : {LimitChange{limit, limit}, LimitChange{limit, hours(1)},
                             LimitChange{std::nullopt, std::nullopt}}) {
    CHECK(held(under_longer_limit(recorded, change, RandomStreams(1, 0))) == held(recorded));
  }
  // A log alone does not name its limit, and its holds show it.
  CHECK(held(under_longer_limit(recorded, {std::nullopt, hours(3)}, RandomStreams(1, 0))) == 0);
  CHECK(held(under_longer_limit(recorded, {limit, std::nullopt}, RandomStreams(1, 0))) == 0);
}

}  // namespace gridcast::engine
