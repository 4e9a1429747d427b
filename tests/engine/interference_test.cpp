// How a site interrupts the jobs on its slots: vacated, suspended, out of contact. Each statistical
// check has the tolerance of 5 standard errors, so that with its fixed seed it fails by chance once
// in 1.7 million choices of a seed.
#include <algorithm>
#include <cmath>
#include <map>

#include "tests/engine/events.hpp"
#include "tests/engine/expectation.hpp"
#include "tests/engine/timed_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

using enum history::EventKind;

constexpr int many_samples = 4000;

}  // namespace

// Preempt-restart: with evictions at rate h while claimed, an attempt of length w is begun
// exp(h w) times and costs (exp(h w) - 1) / h of claimed time.
TEST_CASE("evictions lose all work, as the renewal formula says") {
  Grid grid = timed_grid(50, many_samples);
  double const h = 1 / 1000.0, w = timed::attempt.value();
  grid.site().evict_per_second = h;
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
  Grid grid = timed_grid(1, 20);
  grid.site().evict_per_second = 1 / 1000.0;
  history::JobHistory const history = grid.run().history;
  REQUIRE(count(history, evicted, history::Reason::vacated) > 3);
  for (std::size_t i = 0; i < history.jobs.size(); ++i) {
    auto const events = events_of(history, i);
    for (std::size_t k = 0; k + 1 < events.size(); ++k) {
      if (events[k].kind != evicted) continue;
      CHECK((events[k + 1].at - events[k].at).value() >= 7 + 2 - timed::tick);
    }
  }
}

TEST_CASE("suspensions stretch the computing") {
  Grid grid = timed_grid(50, many_samples);
  grid.site().stream_limit = BytesPerSecond(1e12);  // hardly a transfer
  grid.site().suspend_per_second = 1 / 200.0;
  history::JobHistory const history = grid.run().history;
  double const running = (timed::attempt - timed::url).value();
  check_mean(counts(history, suspended), running / 200);
  std::vector<double> claimed(history.jobs.size());
  for (history::JobEvent const& event : history.events) {
    if (event.kind == matched) claimed[event.job.index()] -= event.at.value();
    if (event.kind == terminated) claimed[event.job.index()] += event.at.value();
  }
  check_mean(claimed, running * (1 + 6.0 / 200));
}

// The starter fetches the input, and it is the job that is suspended.
TEST_CASE("transfers go on while a job is suspended") {
  Grid grid = timed_grid(1, 1);
  grid.site().suspend_per_second = 10;
  grid.draw.suspension = hours(1);
  grid.draw.work = Seconds(0.01);
  grid.draw.setup = grid.draw.teardown = scenario::no_time;
  auto const events = events_of(grid.run().history, 0);
  auto const away = times(events, suspended);
  REQUIRE(!away.empty());
  Seconds const start = times(events, transfer_input_started)[0];
  CHECK(away[0] < start + timed::url);
  CHECK((times(events, transfer_input_finished)[0] - start).value() ==
        Approx(timed::url.value()).margin(timed::tick));
  CHECK(times(events, transfer_output_started)[0] > times(events, unsuspended)[0]);
}

TEST_CASE("a job is vacated while it is suspended as well, or goes on, whichever is first") {
  Grid grid = timed_grid(1, 20);
  grid.site().suspend_per_second = 1 / 100.0;
  grid.site().evict_per_second = 1 / 500.0;
  grid.draw.suspension = days(1000);
  engine::ReplicaOptions options;
  options.horizon = days(1);
  history::JobHistory const history = grid.run(0, options).history;
  REQUIRE(count(history, evicted) > 50);
  CHECK(count(history, suspended) > 50);
  CHECK(count(history, unsuspended) == 0);
  grid.draw.suspension = Seconds(1);
  history::JobHistory const short_ones = grid.run(0, options).history;
  CHECK(count(short_ones, unsuspended) > 50);
  CHECK(count(short_ones, evicted) > 5);
}

TEST_CASE("a job that is found again has lost nothing, and ends when it is heard of") {
  Grid grid = timed_grid(10, 300);
  grid.site().disconnect_per_second = 1 / 300.0;
  history::JobHistory const history = grid.run().history;
  CHECK(count(history, disconnected) == count(history, reconnected));
  REQUIRE(count(history, reconnected) > 500);
  for (std::size_t job = 0; job < history.jobs.size(); ++job) {
    auto const events = events_of(history, job);
    double const claimed = (events.back().at - times(events, matched)[0]).value();
    CHECK(claimed >= timed::attempt.value() - timed::tick);
    CHECK(claimed <= timed::attempt.value() + 3 * 20 + timed::tick);  // thrice it has to be heard
    auto const away = times(events, disconnected), back = times(events, reconnected);
    for (std::size_t i = 0; i < away.size(); ++i) {
      CHECK((back[i] - away[i]).value() == Approx(20).margin(timed::tick));
    }
  }
}

// A job is evicted in an attempt with 1 - P, P = exp(-h w), and its last eviction ends it with q:
// it is done with P + (1 - P) (1 - q) P + ... = P / (1 - (1 - P) (1 - q)).
TEST_CASE("an eviction that is for good ends the job, in the moment in which its slot is taken") {
  Grid grid = timed_grid(50, many_samples);
  double const h = 1 / 500.0;
  double const q = 0.75;
  grid.site().evict_per_second = h;
  grid.draw.evicted_for_good = q;
  history::JobHistory const history = grid.run().history;
  double const p = std::exp(-h * timed::attempt.value());
  double const done = p / (1 - (1 - p) * (1 - q));
  double const number = static_cast<double>(many_samples);
  CHECK(std::abs(static_cast<double>(count(history, terminated)) - number * done) <
        5 * std::sqrt(number * done * (1 - done)));
  CHECK(count(history, terminated) + count(history, aborted, history::Reason::policy) ==
        many_samples);
  for (std::size_t job = 0; job < history.jobs.size(); ++job) {
    auto const events = events_of(history, job);
    if (events.back().kind != aborted) continue;
    CHECK(events[events.size() - 2].kind == evicted);
    CHECK(events[events.size() - 2].at == events.back().at);
  }
  grid.draw.evicted_for_good = 1;
  CHECK(count(grid.run().history, matched) == many_samples);
}

// Each node has two tries of which one succeeds with P = exp(-h w).
TEST_CASE("a node whose job went with its slot is tried again") {
  Grid grid = timed_grid(50, 1);
  double const h = 1 / 500.0;
  grid.site().evict_per_second = h;
  grid.draw.evicted_for_good = 1;
  grid.campaign.submit.clear();
  for (int i = 0; i < many_samples; ++i) {
    scenario::Submission& node = grid.campaign.submit.emplace_back();
    node.jobs = 1;
    node.name = "node" + std::to_string(i);
    node.retries = 1;
  }
  history::JobHistory const history = grid.run().history;
  double const p = std::exp(-h * timed::attempt.value());
  double const number = static_cast<double>(many_samples);
  double const done = p + (1 - p) * p;
  CHECK(std::abs(static_cast<double>(count(history, terminated)) - number * done) <
        5 * std::sqrt(number * done * (1 - done)));
  CHECK(count(history, terminated) + count(history, aborted) == many_samples);
}

// Each execution that lost contact tries five times, 6 s each, from the program's end or the
// contact, and is evicted: a job's attempts are geometric, 1 / P(no contact lost until the end), P
// = exp(-h w).
TEST_CASE("an execution that its own shadow finds again brings no file home, and is evicted") {
  Grid grid = timed_grid(50, many_samples);
  double const h = 1 / 2000.0;
  grid.site().disconnect_per_second = h;
  grid.draw.files_lost = 1;
  grid.draw.output_try = always(Seconds(6));
  history::JobHistory const history = grid.run().history;
  double const until_end = (timed::setup + timed::url + timed::work).value();
  check_mean(counts(history, matched), std::exp(h * until_end));
  CHECK(count(history, evicted) == count(history, evicted, history::Reason::output_failed));
  CHECK(count(history, terminated) == many_samples);
  std::size_t regular = 0;
  for (std::size_t job = 0; job < history.jobs.size(); ++job) {
    auto const events = events_of(history, job);
    for (std::size_t k = 0; k < events.size(); ++k) {
      if (events[k].kind != evicted) continue;
      REQUIRE(k > 8);
      bool same = true;
      for (std::size_t cut = 1; cut <= 4; ++cut) {
        auto const& lost = events[k - 2 * cut];
        auto const& back = events[k - 2 * cut + 1];
        double const before = (events[k].at - lost.at).value();
        same = same && lost.kind == disconnected && back.kind == reconnected &&
               lost.at == back.at && std::abs(before - 6 * static_cast<double>(cut)) < 1e-2;
      }
      regular += same;  // else contact was lost once more meanwhile
    }
  }
  double const lost = static_cast<double>(count(history, evicted));
  CHECK(static_cast<double>(regular) > lost * std::exp(-h * 30) - 5 * std::sqrt(lost * h * 30));
}

// HTCondor 23.9.6, JICShadow::transferOutput: a first try and up to four more, each after the
// connection was cut, then the attempt is given up; so five tries and four cuts, whose loss and
// return are one moment.
TEST_CASE("files that do not come home are tried five times, and no sixth") {
  Grid grid = timed_grid(50, many_samples);
  grid.site().disconnect_per_second = 1 / 2000.0;
  grid.draw.files_lost = 1;
  grid.draw.output_try = always(Seconds(6));
  history::JobHistory const history = grid.run().history;
  std::size_t undisturbed = 0;
  for (std::size_t job = 0; job < history.jobs.size(); ++job) {
    std::size_t cuts = 0;
    Seconds done, last;
    for (history::JobEvent const& event : events_of(history, job)) {
      if (event.kind == matched) cuts = 0;
      if (event.kind == executing) done = event.at + timed::work;
      if (event.kind == reconnected && event.at == last) ++cuts;
      if (event.kind == evicted) {
        CHECK(cuts == 4);
        double const trying = (event.at - done).value();
        CHECK(trying >= 5 * 6 - timed::tick);
        undisturbed += trying < 5 * 6 + timed::tick;  // else it was out of contact meanwhile
      }
      last = event.at;
    }
  }
  CHECK(undisturbed > count(history, evicted) * 9 / 10);
}

TEST_CASE("a share of them loses its files") {
  Grid grid = timed_grid(50, many_samples);
  grid.site().disconnect_per_second = 1 / 2000.0;
  grid.draw.files_lost = 0.25;
  grid.draw.output_try = always(Seconds(6));
  history::JobHistory const history = grid.run().history;
  double const once = std::exp(-(timed::setup + timed::url + timed::work).value() / 2000);
  check_mean(counts(history, matched), 1 / (1 - 0.25 * (1 - once)));
}

TEST_CASE(
    "a checkpoint that does not come home costs a try, and is not there for the next attempt") {
  Grid grid = timed_grid(1, 1);
  policy_of(grid).checkpoint_every_epochs = 1;
  grid.site().disconnect_per_second = 1 / 150.0;
  grid.draw.files_lost = 1;
  grid.draw.output_try = always(Seconds(6));
  auto const events = events_of(grid.run().history, 0);
  REQUIRE(!times(events, evicted).empty());
  std::size_t stored = 0;
  bool lost = false;
  Seconds last;
  for (history::JobEvent const& event : events) {
    if (event.kind == executing || event.kind == checkpointed) last = event.at;
    if (event.kind == matched) lost = false;
    if (event.kind == reconnected) lost = true;
    if (event.kind == checkpointed) ++stored;
    CHECK_FALSE((event.kind == checkpointed && lost));
    if (event.kind != evicted) continue;
    // Epochs of 100 s, a try for each but the last, and five in the end; contact that was lost as a
    // checkpoint or the end was due is waited for, 20 s at the most each time.
    double const left = static_cast<double>(8 - stored);
    double const took = (event.at - last).value();
    CHECK(took >= left * 100 + (left - 1) * 6 + 30 - 1);
    CHECK(took <= left * 100 + (left - 1) * 6 + 30 + left * 20 + 1);
  }
  CHECK(stored == 7);
}

TEST_CASE("a job that is not found again is lost when its lease runs out") {
  Grid grid = timed_grid(1, 10);
  grid.site().disconnect_per_second = 1 / 2000.0;
  grid.site().reconnect = 0;
  policy_of(grid).job_lease_duration = Seconds(300);
  history::JobHistory const history = grid.run().history;
  REQUIRE(count(history, reconnect_failed, history::Reason::lost_contact) > 2);
  for (std::size_t job = 0; job < history.jobs.size(); ++job) {
    auto const events = events_of(history, job);
    for (std::size_t i = 1; i < events.size(); ++i) {
      if (events[i].kind != reconnect_failed) continue;
      CHECK(events[i - 1].kind == disconnected);
      CHECK((events[i].at - events[i - 1].at).value() == Approx(300).margin(timed::tick));
    }
  }
}

TEST_CASE("an answer that would come after the lease comes too late") {
  Grid grid = timed_grid(1, 10);
  grid.site().disconnect_per_second = 1 / 2000.0;
  policy_of(grid).job_lease_duration = Seconds(10);
  history::JobHistory const history = grid.run().history;
  CHECK(count(history, reconnected) == 0);
  CHECK(count(history, reconnect_failed) > 0);
}

}  // namespace gridcast::test
