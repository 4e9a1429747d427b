// Jobs of the next campaign: what they repeat, how often, and that a campaign like the record has
// the record's figures.
#include "sim/engine/resampled_jobs.hpp"

#include <algorithm>
#include <cmath>

#include "sim/engine/replay.hpp"
#include "sim/history/recorded_jobs.hpp"
#include "sim/ledger/accountant.hpp"
#include "sim/ledger/ledger.hpp"
#include "tests/golden/rough_grids.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

using enum history::EventKind;
using engine::CampaignFactors;

constexpr engine::UnseenLaw nothing_unseen{};

/// `jobs` jobs in a row on one slot. Job k computes k + 1 minutes; each third is evicted twice
/// before, after 10 s each; each fifth has a wrong output.
history::JobHistory plain_record(std::size_t jobs) {
  std::vector<history::JobName> names;
  for (std::uint32_t job = 0; job < jobs; ++job) names.push_back({7, job});
  HistoryBuilder builder(names, {"north"});
  for (std::size_t job = 0; job < jobs; ++job) builder.add(0, job, submitted);
  double now = 5;
  for (std::size_t job = 0; job < jobs; ++job) {
    for (int k = 0; job % 3 == 0 && k < 2; ++k) {
      builder.add(now, job, executing).on(0);
      builder.add(now += 10, job, evicted, history::Reason::vacated).on(0);
    }
    builder.add(now, job, executing).on(0);
    builder.add(now += 60 * static_cast<double>(job + 1), job, terminated).on(0);
    if (job % 5 == 0) builder.useless();
  }
  return builder.get();
}

double executed(history::RecordedJobs const& jobs) {
  double sum = 0;
  for (auto const& job : jobs.jobs) {
    for (auto const& attempt : job.attempts) sum += attempt.execution.value();
  }
  return sum;
}

double evictions(history::RecordedJobs const& jobs) {
  double count = 0;
  for (auto const& job : jobs.jobs) {
    for (auto const& attempt : job.attempts) count += attempt.ended_by == evicted ? 1 : 0;
  }
  return count;
}

double mean_over_replicas(auto const& figure, history::RecordedJobs const& recorded,
                          CampaignFactors const& factors) {
  constexpr std::uint32_t replicas = 400;
  double sum = 0;
  for (std::uint32_t replica = 0; replica < replicas; ++replica) {
    sum += figure(engine::resampled_jobs(recorded, recorded.jobs.size(), factors, nothing_unseen,
                                         RandomStreams(1, replica)));
  }
  return sum / replicas;
}

ledger::Ledger ledger_of(history::RecordedJobs const& jobs, history::RecordedJobs const& recorded,
                         scenario::Campaign const& campaign) {
  history::JobHistory history = recorded.names;
  for (std::size_t i = 0; i < jobs.jobs.size(); ++i) {
    if (i >= history.jobs.size()) history.jobs.push_back({7, static_cast<std::uint32_t>(i)});
  }
  history.dated = true;
  auto const names = history.jobs;
  history::HistoryKeeper keeper(history);
  auto const slots = history::slot_supply(recorded);
  engine::replay_next(keeper, {jobs, slots, names, campaign, std::nullopt}, {{}, Bytes(1e9)},
                      scenario::Strategy(), {}, RandomStreams(1, 0));
  return ledger::account(history);
}

scenario::Campaign submitted_at_once(std::size_t jobs) {
  scenario::Campaign campaign;
  campaign.submit = {{Seconds(), static_cast<int>(jobs)}};
  return campaign;
}

}  // namespace

TEST_CASE("resampled jobs have the record's figures in the mean") {
  auto const recorded = history::read_attempts(plain_record(30));
  CHECK(mean_over_replicas(executed, recorded, {}) == Approx(executed(recorded)).epsilon(0.02));
  CHECK(mean_over_replicas(evictions, recorded, {}) == Approx(20).epsilon(0.04));
}

TEST_CASE("each factor changes its own figure") {
  auto const recorded = history::read_attempts(plain_record(30));
  CampaignFactors factors;
  factors.computing = 2;
  CHECK(mean_over_replicas(executed, recorded, factors) ==
        Approx(2 * executed(recorded)).epsilon(0.02));
  CHECK(mean_over_replicas(evictions, recorded, factors) == Approx(20).epsilon(0.04));
  factors = {};
  factors.repeats = 3.5;
  CHECK(mean_over_replicas(evictions, recorded, factors) == Approx(70).epsilon(0.04));
  // A rule limits how often a program that failed is requeued.
  auto failing = recorded;
  for (auto& job : failing.jobs) {
    for (auto& attempt : job.attempts) {
      if (attempt.ended_by != evicted) continue;
      attempt.ended_by = requeued;
      attempt.reason = history::Reason::exit_code;
    }
  }
  auto const requeues = [](history::RecordedJobs const& jobs) {
    double count = 0;
    for (auto const& job : jobs.jobs)
      count += static_cast<double>(std::ranges::count_if(
          job.attempts, [](auto const& attempt) { return attempt.ended_by == requeued; }));
    return count;
  };
  CHECK(mean_over_replicas(requeues, failing, factors) == Approx(20).epsilon(0.04));
  factors = {};
  factors.odds[static_cast<std::size_t>(history::RecordedEnd::succeeded)] = 0;
  auto const none =
      engine::resampled_jobs(recorded, 50, factors, nothing_unseen, RandomStreams(1, 0));
  CHECK(none.jobs.size() == 50);
  CHECK(std::none_of(none.jobs.begin(), none.jobs.end(),
                     [](auto const& job) { return job.succeeded(); }));
}

TEST_CASE("a campaign of the recorded jobs has the recorded ledger") {
  auto const history = plain_record(12);
  auto const recorded = history::read_attempts(history);
  auto const before = ledger::account(history);
  auto const after = ledger_of(recorded, recorded, submitted_at_once(12));
  CHECK(after.total.succeeded == before.total.succeeded);
  CHECK(after.total.wrong_output == before.total.wrong_output);
  CHECK(after.total.evictions == before.total.evictions);
  CHECK(after.total.compute_success == before.total.compute_success);
  CHECK(after.total.compute_evicted == before.total.compute_evicted);
  CHECK(after.makespan->value() == Approx(before.makespan->value()).epsilon(1e-3));
}

TEST_CASE("twice the jobs on the recorded slots take twice the time") {
  auto const recorded = history::read_attempts(plain_record(12));
  auto twice = recorded;
  twice.jobs.insert(twice.jobs.end(), recorded.jobs.begin(), recorded.jobs.end());
  auto const once = ledger_of(recorded, recorded, submitted_at_once(12));
  auto const both = ledger_of(twice, recorded, submitted_at_once(24));
  CHECK(both.makespan->value() == Approx(2 * once.makespan->value()).epsilon(0.01));
}

TEST_CASE("a rough campaign, resampled without any change, has its own slot time") {
  Grid grid = rough_grid();
  auto const simulated =
      engine::simulate(grid.pool, grid.campaign, {}, grid.draw, RandomStreams(3, 0));
  auto const recorded = history::read_attempts(simulated.history);
  auto const before = ledger::account(simulated.history);
  auto const after = ledger_of(recorded, recorded, grid.campaign);
  CHECK(after.total.succeeded == before.total.succeeded);
  CHECK(after.total.evictions == before.total.evictions);
  CHECK(after.total.stalls == before.total.stalls);
  CHECK(after.total.holds == before.total.holds);
  CHECK(after.total.compute_success == before.total.compute_success);
  CHECK(after.total.transfer_success == before.total.transfer_success);
  CHECK(after.total.transfer_retried == before.total.transfer_retried);
}

TEST_CASE("kinds of events that the record has are not added as unseen ones") {
  engine::UnseenLaw const always{.wrong_output = 1,
                                 .held = 1,
                                 .removed = 1,
                                 .holds = 1,
                                 .evictions = 1,
                                 .lost_contacts = 1,
                                 .most_jobs = 0.2};
  auto const recorded = history::read_attempts(plain_record(30));
  auto const next = engine::resampled_jobs(recorded, 100, {}, always, RandomStreams(1, 0));
  std::size_t lost = 0, removed = 0, released = 0;
  for (auto const& job : next.jobs) {
    removed += job.end() == history::RecordedEnd::removed;
    for (auto const& attempt : job.attempts) {
      lost += attempt.ended_by == reconnect_failed;
      released += attempt.after_hold == history::AfterHold::released;
    }
  }
  CHECK(lost >= 1);
  CHECK(lost <= 20);
  CHECK(removed >= 1);
  CHECK(released >= 1);
  // Evictions and wrong outputs are recorded: as many as without the law.
  auto const without =
      engine::resampled_jobs(recorded, 100, {}, nothing_unseen, RandomStreams(1, 0));
  CHECK(evictions(next) == evictions(without));
}

TEST_CASE("the same replica draws the same jobs") {
  auto const recorded = history::read_attempts(plain_record(30));
  auto const jobs = [&](std::uint32_t replica) {
    std::vector<double> executions;
    for (auto const& job :
         engine::resampled_jobs(recorded, 40, {}, nothing_unseen, RandomStreams(1, replica)).jobs) {
      executions.push_back(job.attempts.back().execution.value());
    }
    return executions;
  };
  CHECK(jobs(4) == jobs(4));
  CHECK(jobs(4) != jobs(5));
}

TEST_CASE("the work of jobs that save it does not vary with their evictions") {
  // Each job computes for ten hours. It saves four, loses one, saves three more, and loses two.
  HistoryBuilder builder({{7, 0}, {7, 1}}, {"north"});
  for (std::size_t job = 0; job < 2; ++job) {
    double now = 0;
    builder.add(now, job, submitted);
    for (auto const& [saved, lost] : {std::pair(4.0, 1.0), std::pair(3.0, 2.0)}) {
      builder.add(now, job, executing).on(0);
      builder.add(now + 3600 * saved, job, checkpointed).on(0);
      now += 3600 * (saved + lost);
      builder.add(now, job, evicted, history::Reason::vacated).on(0);
    }
    builder.add(now, job, executing).on(0);
    builder.add(now + 3600 * 3, job, terminated).on(0);
  }
  auto const recorded = history::read_attempts(builder.get());
  auto const work = [](history::RecordedJob const& job) {
    Seconds sum = job.attempts.back().execution;
    for (std::size_t i = 0; i + 1 < job.attempts.size(); ++i) sum += job.attempts[i].saved();
    return sum;
  };
  for (double const often : {0.0, 0.3, 1.0, 2.5}) {
    CampaignFactors factors;
    factors.repeats = often;
    for (std::uint32_t replica = 0; replica < 20; ++replica) {
      auto const jobs =
          engine::resampled_jobs(recorded, 2, factors, nothing_unseen, RandomStreams(1, replica));
      for (auto const& job : jobs.jobs) CHECK(work(job) == hours(10));
      if (often == 0) CHECK(executed(jobs) == 2 * hours(10).value());
    }
  }
  // Evictions lose 1.5 h each in the mean, and so do further ones.
  CampaignFactors twice;
  twice.repeats = 2;
  auto const more = engine::resampled_jobs(recorded, 2, twice, nothing_unseen, RandomStreams(1, 0));
  CHECK(executed(more) == 2 * (hours(10) + 2 * (hours(1) + hours(2))).value());
}

}  // namespace gridcast::test
