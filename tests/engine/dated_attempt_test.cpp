// Attempts of a dated world against closed forms: sums of their parts where nothing is random, and
// expectations where something is. Each statistical check has the tolerance of 5 standard errors,
// so that with its fixed seed it fails by chance once in 1.7 million choices of a seed.
#include <cmath>
#include <map>
#include <numeric>

#include "sim/base/statistics.hpp"
#include "sim/engine/attempt.hpp"
#include "tests/engine/dated_grid.hpp"
#include "tests/engine/events.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

using enum history::EventKind;

std::vector<history::EventKind> kinds(std::vector<history::JobEvent> const& events) {
  std::vector<history::EventKind> kinds;
  for (history::JobEvent const& event : events) kinds.push_back(event.kind);
  return kinds;
}

Seconds last_at(history::JobHistory const& history) { return history.events.back().at; }

void check_mean(std::vector<double> const& sample, double expected) {
  double const mean = std::accumulate(sample.begin(), sample.end(), 0.0) / sample.size();
  double const error = std::sqrt(variance(sample) / static_cast<double>(sample.size()));
  INFO("mean " << mean << " of " << sample.size() << ", standard error " << error);
  CHECK(std::abs(mean - expected) < 5 * error);
}

/// How often each job's events are of a kind.
std::vector<double> counts(history::JobHistory const& history, history::EventKind kind) {
  std::vector<double> counts(history.jobs.size());
  for (history::JobEvent const& event : history.events)
    counts[event.job.index()] += event.kind == kind;
  return counts;
}

constexpr int many = 4000;

}  // namespace

TEST_CASE("each submission's jobs compute its scale of the campaign's work") {
  Grid grid = dated_grid(3, 1);
  grid.campaign.submit = {{Seconds(0), 1}, {Seconds(0), 1, 0.25}, {Seconds(50), 1, 2.5}};
  grid.campaign.work.scale = 2;
  history::JobHistory const history = grid.run().history;
  std::vector<double> const scales = {1, 0.25, 2.5};
  for (std::uint32_t job = 0; job < 3; ++job) {
    auto const events = events_of(history, job);
    double const executed = (events[5].at - events[4].at).value();
    CHECK(executed == Approx(2 * 800 * scales[job]).margin(dated::tick));
  }
}

TEST_CASE("an undisturbed attempt is the sum of its parts") {
  Grid const grid = dated_grid(1, 1);
  history::JobHistory const history = grid.run().history;
  auto const events = events_of(history, 0);
  CHECK(kinds(events) == std::vector{submitted, matched, transfer_input_started,
                                     transfer_input_finished, executing, transfer_output_started,
                                     transfer_output_finished, terminated});
  auto const at = [&](std::size_t i) { return events[i].at.value(); };
  CHECK(at(1) == Approx(2).margin(dated::tick));
  CHECK(at(3) - at(1) == Approx(10).margin(dated::tick));
  CHECK(at(4) - at(3) == Approx(3).margin(dated::tick));
  CHECK(at(5) - at(4) == Approx(800).margin(dated::tick));
  CHECK(at(7) - at(5) == Approx(5).margin(dated::tick));
  CHECK(events.back().useful);
  REQUIRE(history.transfers.size() == 1);
  CHECK(history.urls == std::vector<std::string>{"osdf:///input"});
  CHECK(history.transfers[0].attempt == 1);
  CHECK(history.transfers[0].succeeded);
  CHECK(history.transfers[0].duration.value() == Approx(10));
}

TEST_CASE("jobs follow one another in a slot, each after a match") {
  CHECK(last_at(dated_grid(1, 7).run().history).value() ==
        Approx(7 * dated::cycle.value()).margin(dated::tick));
  CHECK(last_at(dated_grid(3, 7).run().history).value() ==
        Approx(3 * dated::cycle.value()).margin(dated::tick));
}

TEST_CASE("URLs go one after the other, by their bytes") {
  Grid grid = dated_grid(1, 1);
  grid.draw.event_log->url_exponent = 0.5;
  grid.campaign.input.push_back({"osdf:///large", input_size * 16});
  Seconds const expected = dated::cycle + dated::url * 4;
  history::JobHistory const history = grid.run().history;
  CHECK(last_at(history).value() == Approx(expected.value()).margin(dated::tick));
  REQUIRE(history.transfers.size() == 2);
  CHECK(history.transfers[1].start == history.transfers[0].end);
}

TEST_CASE("a faster site, more work, and the odds of a crash are the campaign's and the site's") {
  Grid grid = dated_grid(1, 1);
  site_of(grid).speed = 2;
  grid.campaign.work.scale = 3;
  auto const events = events_of(grid.run().history, 0);
  CHECK((events[5].at - events[4].at).value() == Approx(1200).margin(dated::tick));
}

TEST_CASE("a hung URL ends with the plugin's life and holds the job") {
  Grid grid = dated_grid(1, 1);
  site_of(grid).url_hang = 1;
  grid.draw.event_log->release = 0;
  auto events = events_of(grid.run().history, 0);
  CHECK(kinds(events) == std::vector{submitted, matched, transfer_input_started, held});
  CHECK(events[3].reason == history::Reason::transfer_timeout);
  CHECK((events[3].at - events[1].at).value() == Approx(72000).margin(dated::tick));
  policy_of(grid).plugin_lifetime = Seconds(25);
  events = events_of(grid.run().history, 0);
  CHECK((events[3].at - events[1].at).value() == Approx(25).margin(dated::tick));
}

TEST_CASE("a failed URL holds the job as HTCondor does, or what the strategy says") {
  Grid grid = dated_grid(1, 1);
  site_of(grid).url_failure = 1;
  grid.draw.event_log->most_holds = 3;
  auto events = events_of(grid.run().history, 0);
  CHECK(kinds(events) == std::vector{submitted, matched, transfer_input_started, held, released,
                                     matched, transfer_input_started, held, released, matched,
                                     transfer_input_started, held, aborted});
  CHECK(events[3].reason == history::Reason::transfer_failed);
  CHECK((events[3].at - events[2].at).value() == Approx(5).margin(dated::tick));
  CHECK((events[4].at - events[3].at).value() == Approx(100).margin(dated::tick));
  grid.strategy.retry = {scenario::OnTransferFailure::cool_down, Seconds(60), Seconds(60), 2};
  grid.draw.event_log->release = 0;
  events = events_of(grid.run().history, 0);
  CHECK(kinds(events) == std::vector{submitted, matched, transfer_input_started, shadow_exception,
                                     matched, transfer_input_started, shadow_exception, matched,
                                     transfer_input_started, held});
  CHECK((events[4].at - events[3].at).value() == Approx(60 + 2).margin(dated::tick));
  grid.strategy.retry = {scenario::OnTransferFailure::requeue, {}, {}, 0};
  site_of(grid).url_failure = 0.5;
  CHECK(count(grid.run(2).history, held) == 0);
}

TEST_CASE("transfer failures before success are geometric") {
  Grid grid = dated_grid(50, many);
  double const p = 0.3;
  site_of(grid).url_failure = p;
  history::JobHistory const history = grid.run().history;
  check_mean(counts(history, held), p / (1 - p));
}

TEST_CASE("crashes are retried, and max_retries caps them") {
  Grid grid = dated_grid(50, many);
  site_of(grid).crash = 0.4;
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

TEST_CASE("a crash comes at a uniform point, and ends the job unless something is said") {
  Grid grid = dated_grid(50, many);
  site_of(grid).crash = 1;
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
  Grid grid = dated_grid(1, 1);
  site_of(grid).crash = 1;
  policy_of(grid).crash_holds = true;
  policy_of(grid).max_retries = 3;
  grid.draw.event_log->release = 0;
  auto const events = events_of(grid.run().history, 0);
  CHECK(events.back().kind == held);
  CHECK(events.back().reason == history::Reason::output_missing);
}

// Preempt-restart: with evictions at rate h while claimed, an attempt of length w is begun
// exp(h w) times and costs (exp(h w) - 1) / h of claimed time.
TEST_CASE("evictions lose all work, as the renewal formula says") {
  Grid grid = dated_grid(50, many);
  double const h = 1 / 1000.0, w = dated::attempt.value();
  site_of(grid).evict_per_second = h;
  history::JobHistory const history = grid.run().history;
  check_mean(counts(history, matched), std::exp(h * w));
  std::vector<double> claimed(history.jobs.size());
  for (history::JobEvent const& event : history.events) {
    if (event.kind == matched) claimed[event.job.index()] -= event.at.value();
    if (history::ends_attempt(event.kind)) claimed[event.job.index()] += event.at.value();
  }
  check_mean(claimed, std::expm1(h * w) / h);
}

TEST_CASE("after an eviction a job is idle again after the requeue delay") {
  Grid grid = dated_grid(1, 20);
  site_of(grid).evict_per_second = 1 / 1000.0;
  history::JobHistory const history = grid.run().history;
  REQUIRE(count(history, evicted, history::Reason::vacated) > 3);
  for (std::size_t i = 0; i < history.jobs.size(); ++i) {
    auto const events = events_of(history, i);
    for (std::size_t k = 0; k + 1 < events.size(); ++k) {
      if (events[k].kind != evicted) continue;
      CHECK((events[k + 1].at - events[k].at).value() >= 7 + 2 - dated::tick);
    }
  }
}

TEST_CASE("checkpoints are stored after each epoch but the last") {
  Grid grid = dated_grid(1, 1);
  policy_of(grid).checkpoint_every_epochs = 1;
  history::JobHistory history = grid.run().history;
  CHECK(count(history, checkpointed) == 7);
  CHECK(last_at(history).value() == Approx(dated::cycle.value() + 7 * 4).margin(dated::tick));
  policy_of(grid).checkpoint_every_epochs = 3;
  history = grid.run().history;
  auto const events = events_of(history, 0);
  CHECK(count(history, checkpointed) == 2);
  CHECK((times(events, checkpointed)[0] - times(events, executing)[0]).value() ==
        Approx(304).margin(dated::tick));
}

TEST_CASE("with checkpoints an eviction costs at most an epoch and its checkpoint") {
  Grid grid = dated_grid(20, 400);
  policy_of(grid).checkpoint_every_epochs = 1;
  site_of(grid).evict_per_second = 1 / 300.0;
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
    CHECK(computed >= 8 * epoch - dated::tick);
    CHECK(computed <= 8 * epoch + losses * (epoch + stored) + dated::tick);
    CHECK(std::remainder(computed, epoch) == Approx(0).margin(1e-2));
  }
}

TEST_CASE("suspensions stretch the computing") {
  Grid grid = dated_grid(50, many);
  site_of(grid).suspend_per_second = 1 / 200.0;
  history::JobHistory const history = grid.run().history;
  double const running = dated::attempt.value();
  check_mean(counts(history, suspended), running / 200);
  std::vector<double> claimed(history.jobs.size());
  for (history::JobEvent const& event : history.events) {
    if (event.kind == matched) claimed[event.job.index()] -= event.at.value();
    if (event.kind == terminated) claimed[event.job.index()] += event.at.value();
  }
  check_mean(claimed, running * (1 + 6.0 / 200));
}

TEST_CASE("a job that is found again has lost nothing, and ends when it is heard of") {
  Grid grid = dated_grid(10, 300);
  site_of(grid).disconnect_per_second = 1 / 300.0;
  history::JobHistory const history = grid.run().history;
  CHECK(count(history, disconnected) == count(history, reconnected));
  REQUIRE(count(history, reconnected) > 500);
  for (std::size_t job = 0; job < history.jobs.size(); ++job) {
    auto const events = events_of(history, job);
    double const claimed = (events.back().at - times(events, matched)[0]).value();
    CHECK(claimed >= dated::attempt.value() - dated::tick);
    CHECK(claimed <= dated::attempt.value() + 3 * 20 + dated::tick);  // thrice it has to be heard
    auto const away = times(events, disconnected), back = times(events, reconnected);
    for (std::size_t i = 0; i < away.size(); ++i) {
      CHECK((back[i] - away[i]).value() == Approx(20).margin(dated::tick));
    }
  }
}

TEST_CASE("a job that is not found again is lost when its lease runs out") {
  Grid grid = dated_grid(1, 10);
  site_of(grid).disconnect_per_second = 1 / 2000.0;
  site_of(grid).reconnect = 0;
  policy_of(grid).job_lease_duration = Seconds(300);
  history::JobHistory const history = grid.run().history;
  REQUIRE(count(history, reconnect_failed, history::Reason::lost_contact) > 2);
  for (std::size_t job = 0; job < history.jobs.size(); ++job) {
    auto const events = events_of(history, job);
    for (std::size_t i = 1; i < events.size(); ++i) {
      if (events[i].kind != reconnect_failed) continue;
      CHECK(events[i - 1].kind == disconnected);
      CHECK((events[i].at - events[i - 1].at).value() == Approx(300).margin(dated::tick));
    }
  }
}

TEST_CASE("an answer that would come after the lease comes too late") {
  Grid grid = dated_grid(1, 10);
  site_of(grid).disconnect_per_second = 1 / 2000.0;
  policy_of(grid).job_lease_duration = Seconds(10);
  history::JobHistory const history = grid.run().history;
  CHECK(count(history, reconnected) == 0);
  CHECK(count(history, reconnect_failed) > 0);
}

TEST_CASE("a pilot's death takes all its slots, which only the lease tells") {
  Grid grid = dated_grid(4, 40);
  grid.pool.sites[0].slots_per_pilot = 4;
  site_of(grid).pilot_death_per_second = 1 / 2000.0;
  policy_of(grid).job_lease_duration = Seconds(400);
  engine::Replica const replica = grid.run();
  history::JobHistory const& history = replica.history;
  std::map<double, int> deaths;
  for (history::JobEvent const& event : history.events) {
    if (event.kind == disconnected) ++deaths[event.at.value()];
  }
  REQUIRE(deaths.size() > 1);
  int all_at_once = 0;
  for (auto const& [at, slots] : deaths) all_at_once += slots == 4;
  CHECK(all_at_once > 0);
  CHECK(replica.audit.dead_leases.value() ==
        Approx(400.0 * count(history, reconnect_failed)).margin(1e-2));
}

TEST_CASE("the work is the job's, the noise the execution's") {
  Grid grid = dated_grid(20, 200);
  scenario::EventLogParameters& draw = *grid.draw.event_log;
  draw.job_sigma = 0.5;
  site_of(grid).evict_per_second = 1 / 500.0;
  auto const computing = [&] {
    std::vector<double> time(200);
    for (history::JobEvent const& event : grid.run().history.events) {
      if (event.kind == executing) time[event.job.index()] = -event.at.value();
      if (event.kind == transfer_output_started) time[event.job.index()] += event.at.value();
    }
    return time;
  };
  auto const stormy = computing();
  site_of(grid).evict_per_second = 0;
  auto const calm = computing();
  for (std::size_t job = 0; job < 200; ++job) {
    CHECK(stormy[job] == Approx(calm[job]).epsilon(0).margin(dated::tick));
  }
  CHECK(calm[0] != Approx(calm[1]).epsilon(1e-3));
}

}  // namespace gridcast::test
