// Programs that end with an error, in a replay: the strategy's rules decide if they run again, and
// executions beyond the record fail as often as such jobs do.
#include "sim/engine/replay.hpp"
#include "sim/ledger/accountant.hpp"
#include "sim/ledger/ledger.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

using enum history::EventKind;

constexpr Seconds length(1000);

/// The first job succeeds. The others fail so often, and all but the last time they are requeued.
history::JobHistory failing_jobs(std::size_t jobs, int failures, std::int16_t code = 1) {
  history::JobHistory history;
  Id<history::Site> const north = history.site_named("north");
  for (std::size_t j = 0; j <= jobs; ++j) {
    history.jobs.push_back({1, static_cast<std::uint32_t>(j)});
    Id<history::Job> const job(j);
    history.events.push_back({.job = job, .kind = submitted});
    int const executions = j == 0 ? 1 : failures;
    Seconds now;
    for (int i = 1; i <= executions; ++i) {
      auto const add = [&](history::EventKind kind, Seconds after) {
        now += after;
        history.events.push_back({.at = now, .job = job, .kind = kind, .site = north});
      };
      add(matched, Seconds(10));
      add(executing, Seconds(5));
      add(i < executions ? requeued : terminated, length);
      if (j == 0) continue;
      history.events.back().useful = i < executions;  // the reader of logs judges the last one
      history.events.back().exit_code = code;
      history.events.back().reason = history::Reason::exit_code;
    }
  }
  std::ranges::stable_sort(history.events, {}, &history::JobEvent::at);
  return history;
}

scenario::Strategy with_retries(int most) {
  scenario::Strategy strategy;
  strategy.retry.policy.max_retries = most;
  return strategy;
}

ledger::Ledger replayed(history::JobHistory const& record, scenario::Strategy const& strategy,
                        scenario::ParameterDraw const& draw = {}) {
  return ledger::account(
      engine::replay(record, {{}, Bytes(1e9)}, strategy, draw, RandomStreams(1, 0)).history);
}

scenario::ParameterDraw crashes(double at_site, double of_job) {
  scenario::ParameterDraw draw;
  draw.sites["north"].crash = at_site;
  draw.crash_of_job = of_job;
  return draw;
}

}  // namespace

TEST_CASE("the limit of retries counts the failures that the record has") {
  auto const record = failing_jobs(10, 4);
  scenario::Strategy lease;
  lease.retry.policy.job_lease_duration = minutes(41);
  scenario::Strategy names_output = with_retries(3);  // a crash without it would be held
  names_output.retry.policy.crash_holds = true;
  for (auto const& strategy : {scenario::Strategy(), lease, with_retries(3), names_output}) {
    auto const ledger = replayed(record, strategy, crashes(0.5, 0));
    CHECK(ledger.total.succeeded == 1);
    CHECK(ledger.total.executions == 41);
  }
}

TEST_CASE("fewer retries end a job at an earlier failure of its record") {
  auto const record = failing_jobs(10, 4);
  CHECK(replayed(record, with_retries(0)).total.executions == 11);
  CHECK(replayed(record, with_retries(1)).total.executions == 21);
}

TEST_CASE("rules on exit codes meet the code of each recorded execution") {
  auto until = [](char const* rule, int retries) {
    scenario::Strategy strategy = with_retries(retries);
    strategy.retry.policy.retry_until = classad::parse(rule);
    return strategy;
  };
  CHECK(replayed(failing_jobs(10, 4, 2), until("2", 3)).total.executions == 11);
  CHECK(replayed(failing_jobs(10, 4, 1), until("2", 3)).total.executions == 41);
  CHECK(replayed(failing_jobs(10, 4, 1), until("ExitCode == 1", 3)).total.executions == 11);
  // Executions beyond the record keep the job's code.
  auto const always = crashes(0.5, 0.999999);
  CHECK(replayed(failing_jobs(10, 4, 2), until("1", 7), always).total.executions == 81);
}

TEST_CASE("executions beyond the record fail as often as the site's do") {
  // Two more: of each job one succeeds with the probability 1 - 0.7^2 = 0.51.
  auto const ledger = replayed(failing_jobs(4000, 4), with_retries(5), crashes(0.7, 0));
  CHECK(static_cast<double>(ledger.total.succeeded - 1) / 4000 == Approx(0.51).margin(0.03));
  // 4 of the record, a fifth, and a sixth of those that failed again.
  CHECK(static_cast<double>(ledger.total.executions - 1) / 4000 == Approx(5.7).margin(0.03));
}

TEST_CASE("a job that failed often is more likely one that always fails") {
  // With b = 0.2, c = 0.5 and two failures: b / (b + (1 - b) c^2) = 0.5. Of the other half, all but
  // 0.5^10 succeed within ten more executions.
  auto const ledger = replayed(failing_jobs(4000, 2), with_retries(11), crashes(0.5, 0.2));
  CHECK(static_cast<double>(ledger.total.succeeded - 1) / 4000 == Approx(0.5).margin(0.03));
}

}  // namespace gridcast::test
