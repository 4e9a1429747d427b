// Attempts against closed forms: sums of their parts where nothing is random, and expectations
// where something is. Each statistical check has the tolerance of 5 standard errors, so that with
// its fixed seed it fails by chance once in 1.7 million choices of a seed.
#include <algorithm>
#include <cmath>

#include "sim/engine/site_slots.hpp"
#include "sim/ledger/ledger.hpp"
#include "tests/engine/events.hpp"
#include "tests/engine/expectation.hpp"
#include "tests/engine/timed_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

using enum history::EventKind;

constexpr int many = 4000;

Seconds last_at(history::JobHistory const& history) { return history.events.back().at; }

}  // namespace

TEST_CASE("each submission's jobs compute its scale of the campaign's work") {
  Grid grid = timed_grid(3, 1);
  grid.campaign.submit = {{Seconds(0), 1},
                          {.at = Seconds(0), .jobs = 1, .scale = 0.25},
                          {.at = Seconds(50), .jobs = 1, .scale = 2.5}};
  grid.campaign.work.scale = 2;
  history::JobHistory const history = grid.run().history;
  std::vector<double> const scales = {1, 0.25, 2.5};
  for (std::uint32_t job = 0; job < 3; ++job) {
    auto const events = events_of(history, job);
    double const executed = (events[5].at - events[4].at).value();
    CHECK(executed == Approx(2 * 800 * scales[job]).margin(timed::tick));
  }
}

TEST_CASE("each submission's jobs crash with its odds over the campaign's") {
  Grid grid = timed_grid(many, 100);
  grid.site().crash = 0.5;
  grid.campaign.work.crash_odds = FactorRange{2, 2};
  grid.campaign.submit = {{.at = Seconds(0), .jobs = many / 2, .crash_odds = {0.125, 0.125}},
                          {.at = Seconds(0), .jobs = many / 2, .crash_odds = {2, 2}}};
  std::vector<int> crashes(2);
  for (history::JobEvent const& event : grid.run().history.events) {
    bool const crash = event.kind == terminated && !event.useful;
    crashes[event.job.index() < many / 2 ? 0 : 1] += crash ? 1 : 0;
  }
  // Odds of 1 x 2 x 1/8 and of 1 x 2 x 2: 400 and 1600 of 2,000, within four standard deviations of
  // 18.
  CHECK(std::abs(crashes[0] - 400) < 72);
  CHECK(std::abs(crashes[1] - 1600) < 72);
}

TEST_CASE("an undisturbed attempt is the sum of its parts") {
  Grid const grid = timed_grid(1, 1);
  history::JobHistory const history = grid.run().history;
  auto const events = events_of(history, 0);
  CHECK(kinds(events) == std::vector{submitted, matched, transfer_input_started,
                                     transfer_input_finished, executing, transfer_output_started,
                                     transfer_output_finished, terminated});
  auto const at = [&](std::size_t i) { return events[i].at.value(); };
  CHECK(at(1) == Approx(2).margin(timed::tick));
  CHECK(at(3) - at(1) == Approx(10).margin(timed::tick));
  CHECK(at(4) - at(3) == Approx(3).margin(timed::tick));
  CHECK(at(5) - at(4) == Approx(800).margin(timed::tick));
  CHECK(at(7) - at(5) == Approx(5).margin(timed::tick));
  CHECK(events.back().useful);
  REQUIRE(history.transfers.size() == 1);
  CHECK(history.urls == std::vector<std::string>{"osdf:///input"});
  CHECK(history.transfers[0].attempt == 1);
  CHECK(history.transfers[0].succeeded);
  CHECK(history.transfers[0].duration.value() == Approx(10));
}

// The first of three attempts, at least, stalls.
TEST_CASE("an attempt that executes nothing has its slot's GPUs all the same") {
  Grid grid = quiet_grid(4, 1);
  grid.pool.sites[0].gpus_per_slot = 4;
  grid.campaign.request.gpus = 1;
  grid.draw.outages.stall_when_quiet = 0.6;
  grid.strategy.transfer.stall_timer = scenario::StallTimer::whole_transfer;
  engine::Replica replica = grid.run();
  for (std::uint32_t i = 1; count(replica.history, shadow_exception) < 2; ++i)
    replica = grid.run(i);
  Seconds in_slot, begun;
  for (history::JobEvent const& event : replica.history.events) {
    if (event.kind == matched) begun = event.at;
    if (history::ends_attempt(event.kind)) in_slot += event.at - begun;
    bool const reported = event.kind == matched || event.kind == executing;
    CHECK((replica.history.gpus_of(event) != nullptr) == reported);
    if (reported) CHECK(replica.history.gpus_of(event)->count == 4);
  }
  CHECK(ledger::account(replica.history).gpu_time.value() == Approx(4 * in_slot.value()));
}

TEST_CASE("slots of two GPUs are half as many as the GPUs that the pool has") {
  Grid grid = quiet_grid(8, 12);
  grid.pool.sites[0].gpus_per_slot = 2;
  std::size_t most = 0, running = 0;
  for (history::JobEvent const& event : grid.run().history.events) {
    if (event.kind == matched) most = std::max(most, ++running);
    if (history::ends_attempt(event.kind)) --running;
  }
  CHECK(most == 4);
}

// On six slots and six GPUs on nodes of two, jobs of two GPUs fill three; on five times as many,
// 15.
TEST_CASE("slots are as many as the draw has, where it has a number, with GPUs in proportion") {
  Grid grid = quiet_grid(6, 12);
  grid.site().gpus.reset();
  scenario::SiteSpec& spec = grid.pool.sites[0];
  spec.slots = 6;
  spec.gpus_per_node = 2;
  auto const offered = [&grid](int gpus) {
    grid.campaign.request.gpus = gpus;
    return engine::slots_offered(grid.pool, grid.campaign, grid.strategy, grid.draw);
  };
  CHECK(std::pair(offered(1), offered(2)) == std::pair<std::size_t, std::size_t>(6, 3));
  grid.site().slots = 30;
  CHECK(std::pair(offered(1), offered(2)) == std::pair<std::size_t, std::size_t>(30, 15));
  spec.gpus_per_slot = 2;
  CHECK(offered(2) == 30);
}

TEST_CASE("jobs follow one another in a slot, each after a match") {
  CHECK(last_at(timed_grid(1, 7).run().history).value() ==
        Approx(7 * timed::cycle.value()).margin(timed::tick));
  CHECK(last_at(timed_grid(3, 7).run().history).value() ==
        Approx(3 * timed::cycle.value()).margin(timed::tick));
}

TEST_CASE("a faster site, more work, and the odds of a crash are the campaign's and the site's") {
  Grid grid = timed_grid(1, 1);
  grid.site().speed = 2;
  grid.campaign.work.scale = 3;
  auto const events = events_of(grid.run().history, 0);
  CHECK((events[5].at - events[4].at).value() == Approx(1200).margin(timed::tick));
}

TEST_CASE("crashes are retried, and max_retries caps them") {
  Grid grid = timed_grid(50, many);
  grid.site().crash = 0.4;
  policy_of(grid).max_retries = 1000;
  history::JobHistory history = grid.run().history;
  check_mean(counts(history, requeued), 0.4 / 0.6);
  policy_of(grid).max_retries = 2;
  history = grid.run().history;
  check_mean(counts(history, requeued), 0.4 + 0.16);
  std::vector<double> lost;
  for (history::JobEvent const& event : history.events) {
    if (event.kind == terminated) lost.push_back(event.useful ? 0 : 1);
    CHECK((event.kind != requeued ||
           (event.reason == history::Reason::exit_code && event.exit_code == 1)));
  }
  REQUIRE(lost.size() == many);
  check_mean(lost, 0.064);
}

// With N jobs and R retries, N (1 - q) (1 - p^(R + 1)) succeed, after q R + (1 - q) (p + ... + p^R)
// requeues each.
TEST_CASE("no retry mends a job that crashes wherever it runs") {
  constexpr double q = 0.25, p = 0.4;
  Grid grid = timed_grid(50, many);
  grid.site().crash = p;
  grid.draw.crash_of_job = q;
  policy_of(grid).max_retries = 2;
  history::JobHistory const history = grid.run().history;
  check_mean(counts(history, requeued), q * 2 + (1 - q) * (p + p * p));
  std::vector<double> succeeded;
  for (history::JobEvent const& event : history.events) {
    if (event.kind == terminated) succeeded.push_back(event.useful ? 1 : 0);
  }
  REQUIRE(succeeded.size() == many);
  check_mean(succeeded, (1 - q) * (1 - p * p * p));
}

// Odds of 1/3, three times as large, are those of 1/2.
TEST_CASE("odds of a crash are also the odds that a job is bad") {
  Grid grid = timed_grid(50, many);
  grid.draw.crash_of_job = 0.25;
  grid.campaign.work.crash_odds = {3, 3};
  policy_of(grid).max_retries = 2;
  history::JobHistory const history = grid.run().history;
  check_mean(counts(history, requeued), 0.5 * 2);
}

TEST_CASE("jobs that are not bad have the same random numbers whether others are or not") {
  Grid grid = timed_grid(many, many);  // each in a slot of its own
  grid.site().crash = 0.4;
  auto const crashed = [&](double share) {
    grid.draw.crash_of_job = share;
    std::vector<bool> jobs(many);
    for (history::JobEvent const& event : grid.run().history.events) {
      if (event.kind == terminated) jobs[event.job.index()] = !event.useful;
    }
    return jobs;
  };
  auto const none = crashed(0), some = crashed(0.25);
  std::size_t more = 0;
  for (std::size_t i = 0; i < many; ++i) {
    CHECK((some[i] || !none[i]));
    more += some[i] && !none[i] ? 1 : 0;
  }
  // 0.25 x 0.6 of 4,000, within five standard deviations of 22.6.
  CHECK(std::abs(static_cast<double>(more) - 600) < 113);
}

TEST_CASE("a crash comes at a uniform point, and ends the job unless something is said") {
  Grid grid = timed_grid(50, many);
  grid.site().crash = 1;
  history::JobHistory const history = grid.run().history;
  std::vector<double> reached(history.jobs.size());
  for (history::JobEvent const& event : history.events) {
    if (event.kind == executing) reached[event.job.index()] -= event.at.value();
    if (event.kind == transfer_output_started) reached[event.job.index()] += event.at.value();
  }
  check_mean(reached, 400);
  CHECK(count(history, terminated, history::Reason::exit_code) == many);
}

TEST_CASE("a crash before the declared output is there holds the job") {
  Grid grid = timed_grid(1, 1);
  grid.site().crash = 1;
  policy_of(grid).crash_holds = true;
  policy_of(grid).max_retries = 3;
  nobody_releases(grid);
  auto const events = events_of(grid.run().history, 0);
  CHECK(events.back().kind == held);
  CHECK(events.back().reason == history::Reason::output_missing);
}

TEST_CASE("a job that lists no output files waits between its input and its execution") {
  Grid grid = timed_grid(1, 1);
  grid.draw.unlisted_wait = Seconds(1);
  CHECK(last_at(grid.run().history).value() == Approx(timed::cycle.value()).margin(timed::tick));
  policy_of(grid).outputs_unlisted = true;
  auto const events = events_of(grid.run().history, 0);
  CHECK((times(events, executing)[0] - times(events, transfer_input_finished)[0]).value() ==
        Approx(timed::setup.value() + 1).margin(timed::tick));
  CHECK(events.back().at.value() == Approx(timed::cycle.value() + 1).margin(timed::tick));
}

TEST_CASE("checkpoints are stored after each epoch but the last") {
  Grid grid = timed_grid(1, 1);
  policy_of(grid).checkpoint_every_epochs = 1;
  history::JobHistory history = grid.run().history;
  CHECK(count(history, checkpointed) == 7);
  CHECK(last_at(history).value() == Approx(timed::cycle.value() + 7 * 4).margin(timed::tick));
  policy_of(grid).checkpoint_every_epochs = 3;
  history = grid.run().history;
  auto const events = events_of(history, 0);
  CHECK(count(history, checkpointed) == 2);
  CHECK((times(events, checkpointed)[0] - times(events, executing)[0]).value() ==
        Approx(304).margin(timed::tick));
}

TEST_CASE("with checkpoints an eviction costs at most an epoch and its checkpoint") {
  Grid grid = timed_grid(20, 400);
  policy_of(grid).checkpoint_every_epochs = 1;
  grid.site().evict_per_second = 1 / 300.0;
  history::JobHistory const history = grid.run().history;
  REQUIRE(count(history, evicted) > 400);
  constexpr double epoch = 100, stored = 4;
  for (std::size_t job = 0; job < history.jobs.size(); ++job) {
    double computed = 0, since = 0;
    int losses = 0;
    for (history::JobEvent const& event : events_of(history, job)) {
      double const at = event.at.value();
      if (event.kind == executing || event.kind == checkpointed) since = at;
      if (event.kind == transfer_output_started) computed += at - since;
      if (event.kind == evicted) {
        ++losses;
        since = 0;
      }
    }
    // Each epoch whose checkpoint was lost is computed again.
    CHECK(computed >= 8 * epoch - timed::tick);
    CHECK(computed <= 8 * epoch + losses * (epoch + stored) + timed::tick);
    CHECK(std::remainder(computed, epoch) == Approx(0).margin(1e-2));
  }
}

TEST_CASE("the work is the job's, the noise the execution's") {
  Grid grid = timed_grid(20, 200);
  scenario::ParameterDraw& draw = grid.draw;
  draw.job_sigma = 0.5;
  grid.site().evict_per_second = 1 / 500.0;
  auto const computing = [&] {
    std::vector<double> time(200);
    for (history::JobEvent const& event : grid.run().history.events) {
      if (event.kind == executing) time[event.job.index()] = -event.at.value();
      if (event.kind == transfer_output_started) time[event.job.index()] += event.at.value();
    }
    return time;
  };
  auto const stormy = computing();
  grid.site().evict_per_second = 0;
  auto const calm = computing();
  for (std::size_t job = 0; job < 200; ++job) {
    CHECK(stormy[job] == Approx(calm[job]).epsilon(0).margin(timed::tick));
  }
  CHECK(calm[0] != Approx(calm[1]).epsilon(1e-3));
}

}  // namespace gridcast::test
