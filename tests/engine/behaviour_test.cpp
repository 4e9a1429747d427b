// The behaviour of a grid, one event at a time.
#include "sim/ledger/ledger.hpp"
#include "tests/engine/conservation.hpp"
#include "tests/engine/expectation.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

/// Where a job was matched, in order.
std::vector<std::size_t> sites_of(std::vector<history::JobEvent> const& events) {
  std::vector<std::size_t> sites;
  for (history::JobEvent const& event : events) {
    if (event.kind == history::EventKind::matched) sites.push_back(event.site.index());
  }
  return sites;
}

void add_site(Grid& grid, std::string const& name) {
  grid.pool.sites.push_back(grid.pool.sites[0]);
  grid.pool.sites.back().name = name;
  grid.draw.sites[name] = grid.site();
}

}  // namespace

TEST_CASE("a job's life on a quiet grid") {
  auto const events = events_of(quiet_grid(1, 1).run().history, 0);
  std::vector<std::pair<history::EventKind, double>> const expected{
      {history::EventKind::submitted, 0},
      {history::EventKind::matched, 1},
      {history::EventKind::transfer_input_started, 1},
      {history::EventKind::transfer_input_finished, 11},
      {history::EventKind::executing, 11},
      {history::EventKind::transfer_output_started, 1011},
      {history::EventKind::transfer_output_finished, 1011},
      {history::EventKind::terminated, 1011}};
  REQUIRE(events.size() == expected.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    CHECK(events[i].kind == expected[i].first);
    CHECK(events[i].at.value() == Approx(expected[i].second).margin(1e-5));
  }
  CHECK(events.back().useful);
}

TEST_CASE("jobs for which no site has a slot are removed after three months") {
  Grid no_gpus = quiet_grid(0, 3);
  Grid none_available = quiet_grid(3, 3);
  none_available.site().gpus = 0;
  Grid no_match = quiet_grid(3, 3);
  no_match.campaign.request.gpu = "a device that the pool lacks";
  no_match.pool.sites[0].gpu = "another";
  for (Grid const& grid : {no_gpus, none_available, no_match}) {
    engine::Replica const replica = grid.run();
    CHECK(replica.history.events.size() == 6);
    CHECK(count(replica.history, history::EventKind::submitted) == 3);
    CHECK(replica.history.events.back().at == days(90));
    CHECK(replica.audit.slot_life == Seconds(0));
    CHECK(ledger::account(replica.history).total.removed == 3);
  }
}

TEST_CASE("jobs are named after their submissions") {
  Grid grid = quiet_grid(2, 2);
  grid.campaign.submit.push_back({Seconds(100), 1});
  history::JobHistory const history = grid.run().history;
  CHECK(history.jobs == std::vector<history::JobName>{{1, 0}, {1, 1}, {2, 0}});
  CHECK(events_of(history, 2)[0].at == Seconds(100));
}

TEST_CASE("an evicted job goes back to the queue and starts over") {
  Grid grid = quiet_grid(1, 4);
  grid.site().pilot_kill_per_second = 1e-3;
  engine::Replica const replica = grid.run(3);
  history::JobHistory const& history = replica.history;
  REQUIRE(count(history, history::EventKind::evicted, history::Reason::pilot_ended) > 0);
  CHECK(count(history, history::EventKind::terminated) == 4);
  CHECK(violations(grid, replica) == "");
  ledger::LedgerLines const total = ledger::account(history).total;
  CHECK(total.compute_success.value() == Approx(4 * execution.value()));
  CHECK(total.evictions == count(history, history::EventKind::evicted));
}

TEST_CASE("a job longer than any pilot's life is removed after three months") {
  Grid grid = quiet_grid(1, 1);
  grid.pool.pilots = {.walltime = hours(15), .min_remaining = hours(1), .replacement = hours(1)};
  grid.site().epoch = always(hours(16));
  history::JobHistory const history = grid.run().history;
  CHECK(history.events.back().kind == history::EventKind::aborted);
  CHECK(history.events.back().at > days(90));
  CHECK(history.events.back().at < days(91));
  CHECK(ledger::account(history).total.removed == 1);
}

TEST_CASE("a transfer failure that cools down waits its delay, then may run anywhere") {
  Grid grid = quiet_grid(1, 1);
  grid.site().url_failure = 1;
  grid.strategy.retry = {scenario::OnTransferFailure::cool_down, Seconds(300), Seconds(600), 4, {}};
  auto const events = events_of(grid.run().history, 0);
  auto const failed = times(events, history::EventKind::shadow_exception);
  auto const matched = times(events, history::EventKind::matched);
  REQUIRE(matched.size() == 5);  // four cool-downs, then held
  CHECK(events.back().kind == history::EventKind::held);
  CHECK(events.back().reason == history::Reason::transfer_failed);
  Seconds const first = matched[1] - failed[0];
  CHECK(first >= Seconds(300));
  CHECK(first <= Seconds(601));  // and the next cycle
  for (std::size_t i = 1; i + 1 < matched.size(); ++i) {
    Seconds const again = matched[i + 1] - failed[i];  // one delay a job
    CHECK(std::abs((again - first).value()) <= 1.001);
  }
}

TEST_CASE("held for a failed transfer, a job is released by policy") {
  Grid grid = quiet_grid(1, 1);
  grid.site().url_failure = 1;
  grid.strategy.retry.on_transfer_failure = scenario::OnTransferFailure::hold;
  grid.strategy.release = {Seconds(1170), 3};
  auto const events = events_of(grid.run().history, 0);
  auto const held = times(events, history::EventKind::held);
  auto const released = times(events, history::EventKind::released);
  REQUIRE(held.size() == 4);
  REQUIRE(released.size() == 3);
  // Periodic expressions look each minute.
  for (std::size_t i = 0; i < 3; ++i) CHECK((released[i] - held[i]).value() == Approx(1200));
  CHECK(events.back().kind == history::EventKind::held);
}

TEST_CASE("people release some holds") {
  Grid grid = quiet_grid(50, 1000);
  grid.draw.spurious_404 = 1;
  grid.draw.release_other_hold = 0.25;
  grid.draw.release_delay = always(hours(2));
  history::JobHistory const history = grid.run().history;
  // Each hold is released with probability 1/4, so a job has 4/3 holds on average.
  double const holds = static_cast<double>(count(history, history::EventKind::held)) / 1000;
  CHECK(holds == Approx(4.0 / 3).margin(0.06));  // three standard errors
  CHECK(count(history, history::EventKind::released, history::Reason::manual) + 1000 ==
        count(history, history::EventKind::held));
}

TEST_CASE("people remove a share of the holds that they do not release") {
  Grid grid = quiet_grid(50, 1000);
  grid.draw.spurious_404 = 1;
  grid.draw.release_delay = always(hours(2));
  grid.draw.remove_other_hold = 0.4;
  history::JobHistory const history = grid.run().history;
  auto const removed = count(history, history::EventKind::aborted, history::Reason::manual);
  CHECK(std::abs(static_cast<double>(removed) - 400) < 4 * 15.5);  // four standard deviations
  auto const events = history::events_by_job(history);
  for (auto const& of_job : events) {
    history::JobEvent const& last = history.events[of_job.back()];
    if (last.kind != history::EventKind::aborted) continue;
    CHECK((last.at - history.events[of_job[of_job.size() - 2]].at).value() == Approx(2 * 3600));
  }
}

// MAX_SHADOW_EXCEPTIONS: after so many failures under one claim the slot is another's, or a site's.
TEST_CASE("a stalled job returns to its claim until that is given back") {
  for (int const most : {1, 2, 5}) {
    Grid grid = quiet_grid(1, 1);
    add_site(grid, "other");
    grid.draw.outages.stall_when_quiet = 1;
    grid.draw.hold_on_stall = 0.01;
    grid.strategy.transfer.max_shadow_exceptions = most;
    auto const sites = sites_of(events_of(grid.run().history, 0));
    REQUIRE(sites.size() > 20);
    bool left = false;
    for (std::size_t i = 1; i < sites.size(); ++i) {
      auto const under_claim = i % static_cast<std::size_t>(most);
      if (under_claim != 0) CHECK(sites[i] == sites[i - 1]);
      left = left || sites[i] != sites[i - 1];
    }
    CHECK(left);
  }
}

TEST_CASE("a stalled job returns to its slot unless the strategy avoids the site") {
  Grid grid = quiet_grid(1, 1);
  add_site(grid, "other");
  grid.draw.outages.scope = scenario::OutageScope::path;
  grid.draw.outages.stall_when_quiet = 1;
  grid.draw.hold_on_stall = 0.02;
  grid.strategy.transfer.max_shadow_exceptions = 1000;
  auto const staying = sites_of(events_of(grid.run().history, 0));
  REQUIRE(staying.size() > 3);
  CHECK(staying == std::vector(staying.size(), staying[0]));
  grid.strategy.match = {2, hours(100)};
  auto const leaving = sites_of(events_of(grid.run().history, 0));
  REQUIRE(leaving.size() > 3);
  CHECK(leaving[1] == leaving[0]);
  CHECK(leaving[2] != leaving[0]);  // after two stalls
  CHECK(leaving[3] == leaving[2]);
}

TEST_CASE("a job that avoids every site waits until the first time is over") {
  Grid grid = quiet_grid(1, 1);
  grid.draw.outages.stall_when_quiet = 1;
  grid.draw.hold_on_stall = 0.1;
  grid.strategy.match = {1, hours(2)};
  auto const events = events_of(grid.run(2).history, 0);
  auto const failed = times(events, history::EventKind::shadow_exception);
  auto const matched = times(events, history::EventKind::matched);
  REQUIRE(matched.size() > 2);
  for (std::size_t i = 1; i < matched.size(); ++i) {
    CHECK((matched[i] - failed[i - 1]).value() == Approx(7200).margin(2));
  }
}

TEST_CASE("the next cache is asked before the attempt fails") {
  Grid grid = quiet_grid(1, 1);
  add_caches(grid);
  grid.draw.outages.stall_when_quiet = 1;
  grid.strategy.transfer.stall_timeout = Seconds(100);
  grid.strategy.transfer.on_stall = scenario::OnStall::next_cache;
  grid.strategy.retry.on_transfer_failure = scenario::OnTransferFailure::hold;
  auto const events = events_of(grid.run().history, 0);
  CHECK(events.back().kind == history::EventKind::held);
  CHECK(events.back().reason == history::Reason::transfer_failed);
  CHECK((events.back().at - times(events, history::EventKind::matched)[0]).value() == Approx(300));
}

TEST_CASE("a site without network spoils the jobs that unpacked there") {
  Grid grid = quiet_grid(10, 10);
  grid.draw.network_down = {.per_start = 1, .mean_hits = 1};
  grid.site().unpack = Seconds(70);
  history::JobHistory const history = grid.run().history;
  CHECK(ledger::account(history).total.wrong_output == 10);
  CHECK(ledger::account(history).total.compute_wrong_output.value() == Approx(700));
  CHECK(count(grid.run(0, {.shocks = false}).history, history::EventKind::terminated,
              history::Reason::none) == 10);
}

TEST_CASE("a job that a limit stops is over where the batch system does not queue it again") {
  Grid grid = quiet_grid(10, 10);
  nobody_releases(grid);
  grid.draw.stopped_for_good = 1;
  grid.site().stop = 1;
  grid.site().stop_after = Seconds(500);
  auto const by_memory = grid.run().history;
  CHECK(count(by_memory, history::EventKind::aborted, history::Reason::out_of_resources) == 10);
  CHECK(events_of(by_memory, 0).back().at.value() == Approx(11 + 500));
  grid.site().stop = 0;
  grid.pool.access_point.max_execution = Seconds(600);
  grid.pool.access_point.policy_interval = Seconds(1);
  auto const by_time = grid.run().history;
  CHECK(count(by_time, history::EventKind::aborted, history::Reason::execution_too_long) == 10);
  CHECK(count(by_time, history::EventKind::matched) == 10);
  // A limit of the submit file's own is HTCondor's.
  policy_of(grid).allowed_execute_duration = Seconds(600);
  auto const own = grid.run().history;
  CHECK(count(own, history::EventKind::held, history::Reason::execution_too_long) == 10);
  CHECK(count(own, history::EventKind::aborted) == 0);
}

// People release jobs twice and then remove them; a share q is stopped each time, the others
// with p: holds q 3 + (1 - q) (p + p^2 + p^3) a job, and (1 - q) (1 - p^3) succeed.
TEST_CASE("no release mends a job that a limit stops whenever it runs so long") {
  constexpr double q = 0.25, p = 0.4;
  constexpr int jobs = 4000;
  Grid grid = quiet_grid(100, jobs);
  grid.draw.release_other_hold = 1;
  grid.draw.most_holds = 3;
  grid.draw.stop_of_job = q;
  grid.site().stop = p;
  grid.site().stop_after = Seconds(500);
  grid.site().stop_holds = 1;
  auto const history = grid.run().history;
  check_mean(counts(history, history::EventKind::held), q * 3 + (1 - q) * (p + p * p + p * p * p));
  check_share(count(history, history::EventKind::terminated), jobs, (1 - q) * (1 - p * p * p));
  check_share(count(history, history::EventKind::aborted), jobs, q + (1 - q) * p * p * p);
}

TEST_CASE(
    "a job that a limit stops each time has a moment of its own, which its work may not reach") {
  constexpr int jobs = 1000;
  Grid grid = quiet_grid(100, jobs);
  grid.draw.release_other_hold = 1;
  grid.draw.most_holds = 3;
  grid.draw.stop_of_job = 1;
  grid.site().stop_after = Seconds(1000);  // as long as the work
  grid.site().stop_sigma = 0.5;
  grid.site().stop_holds = 1;
  auto const history = grid.run().history;
  std::size_t stopped = 0;
  for (std::size_t job = 0; job < jobs; ++job) {
    auto const events = events_of(history, job);
    auto const starts = times(events, history::EventKind::executing);
    auto const holds = times(events, history::EventKind::held);
    if (holds.empty()) continue;
    ++stopped;
    REQUIRE(holds.size() == 3);
    for (std::size_t i = 1; i < 3; ++i) {
      CHECK((holds[i] - starts[i]).value() == Approx((holds[0] - starts[0]).value()));
    }
  }
  check_share(stopped, jobs, 0.5);
}

TEST_CASE("a node whose job a limit stopped is tried again") {
  Grid grid = quiet_grid(1, 1);
  grid.draw.stopped_for_good = 1;
  grid.site().stop = 1;
  grid.site().stop_after = Seconds(500);
  grid.campaign.submit[0].name = "node";
  grid.campaign.submit[0].retries = 1;
  auto const history = grid.run().history;
  CHECK(count(history, history::EventKind::evicted, history::Reason::out_of_resources) == 1);
  CHECK(count(history, history::EventKind::aborted, history::Reason::out_of_resources) == 1);
  CHECK(count(history, history::EventKind::matched) == 2);
}

TEST_CASE("owners step in at a rate, and remove a share of the jobs in the queue") {
  Grid grid = quiet_grid(50, 100);
  grid.site().epoch = always(Seconds(1e7));
  grid.draw.removal_per_second = 1e-3;
  grid.draw.removal_share_a = grid.draw.removal_share_b = 1e6;  // a half, each time
  auto const history = grid.run().history;
  CHECK(count(history, history::EventKind::aborted) == 100);
  std::map<double, int> removed;
  for (history::JobEvent const& event : history.events) {
    if (event.kind != history::EventKind::aborted) continue;
    CHECK(event.reason == history::Reason::manual);
    ++removed[event.at.value()];
  }
  // A binomial share of 100: within four standard deviations; a thousand seconds between them.
  CHECK(std::abs(removed.begin()->second - 50) < 20);
  CHECK(removed.rbegin()->first / static_cast<double>(removed.size()) < 4000);
}

TEST_CASE("owners remove as many jobs of a longer queue as of the longest recorded one") {
  Grid grid = quiet_grid(50, 100);
  grid.site().epoch = always(Seconds(1e7));
  grid.draw.removal_per_second = 1e-3;
  grid.draw.removal_share_a = 1e6;  // all of them ...
  grid.draw.removal_share_b = 1;
  grid.draw.removal_queue = 10;  // ... of ten
  std::map<double, int> removed;
  for (history::JobEvent const& event : grid.run().history.events) {
    if (event.kind == history::EventKind::aborted) ++removed[event.at.value()];
  }
  // The first time 10 of 100 on average, with a standard deviation of 3; the last time all that are
  // left.
  CHECK(std::abs(removed.begin()->second - 10) <= 12);
  CHECK(removed.size() >= 10);
  CHECK(removed.rbegin()->second <= 10);
}

TEST_CASE("a corrupt archive ends a job early") {
  Grid grid = quiet_grid(10, 10);
  grid.draw.corrupt_input = 1;
  grid.draw.corrupt_execution = Seconds(33);
  history::JobHistory const history = grid.run().history;
  CHECK(count(history, history::EventKind::terminated, history::Reason::corrupt_input) == 10);
  CHECK(ledger::account(history).total.compute_wrong_output.value() == Approx(330));
  engine::ReplicaOptions without_shocks;
  without_shocks.shocks = false;
  CHECK(count(grid.run(0, without_shocks).history, history::EventKind::terminated,
              history::Reason::corrupt_input) == 0);
}

TEST_CASE("jobs without input meet no failure of an input transfer") {
  Grid grid = quiet_grid(10, 10);
  grid.campaign.input.clear();
  grid.draw.corrupt_input = grid.draw.spurious_404 = 1;
  grid.draw.not_found = {1, 10};
  grid.draw.outages.scope = scenario::OutageScope::path;
  grid.draw.outages.bad_fraction = 1;
  grid.draw.outages.stall_when_bad = 1;
  for (auto const protocol :
       {scenario::Protocol::osdf, scenario::Protocol::http, scenario::Protocol::htcondor}) {
    grid.strategy.transfer.protocol = protocol;
    auto const total = ledger::account(grid.run().history).total;
    CHECK(total.succeeded == 10);
    CHECK(total.badput() == Seconds());
  }
}

TEST_CASE("caches show how full they are, where it is asked for") {
  Grid grid = quiet_grid(2, 5);
  CHECK(grid.run().audit.cache_samples.empty());
  engine::ReplicaOptions options;
  options.cache_samples = true;
  auto const samples = grid.run(0, options).audit.cache_samples;
  REQUIRE(samples.size() == 1);  // one file, fetched once
  CHECK(samples[0].cache == 0);
  CHECK(samples[0].used == input_size);
  CHECK(samples[0].at > Seconds(0));
}

}  // namespace gridcast::test
