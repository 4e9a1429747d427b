// Campaigns that train a workload of the catalogue, against closed forms.
#include "sim/base/statistics.hpp"
#include "sim/ledger/ledger.hpp"
#include "tests/engine/conservation.hpp"
#include "tests/engine/timed_grid.hpp"
#include "tests/engine/training_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

Grid streaming_grid(int jobs, double link) {
  Grid grid = training_grid(jobs, jobs, small_work());
  grid.strategy.training.data = scenario::DataAccess::stream;
  grid.site().link_capacity = BytesPerSecond(link);
  return grid;
}

/// Every second of a claimed slot is in one line of the ledger.
void check_all_time_counted(engine::Replica const& replica) {
  CHECK(ledger::account(replica.history).total.wallclock().value() ==
        Approx(replica.audit.slot_busy.value()));
}

double end_of(engine::Replica const& replica, std::size_t job) {
  return times(events_of(replica.history, job), history::EventKind::terminated).at(0).value();
}

}  // namespace

TEST_CASE("a training that shares nothing is one timer, of the models' time") {
  Grid one = training_grid(1, 1, small_work());
  engine::Replica const replica = one.run();
  CHECK(end_of(replica, 0) == Approx(1 + 100).epsilon(1e-4));
  Grid calibrated = quiet_grid(1, 1);
  calibrated.campaign.input = one.campaign.input;
  CHECK(replica.audit.timers == calibrated.run().audit.timers);
}

TEST_CASE("the calibration's spread around a typical epoch is the training's") {
  Grid grid = training_grid(200, 200, small_work());
  grid.site().epoch = {Family::lognormal, 0.2, 3000, 0};
  history::JobHistory const history = grid.run().history;
  std::vector<double> logs;
  for (std::size_t job = 0; job < 200; ++job) {
    auto const events = events_of(history, job);
    Seconds const time = times(events, history::EventKind::transfer_output_started)[0] -
                         times(events, history::EventKind::executing)[0];
    logs.push_back(std::log(time.value() / 100));
  }
  CHECK(mean(logs) == Approx(0).margin(3 * 0.2 / std::sqrt(200.)));
  CHECK(standard_deviation(logs) == Approx(0.2).margin(3 * 0.2 / std::sqrt(400.)));
}

TEST_CASE("without checkpoints an evicted training starts over") {
  Grid grid = training_grid(1, 4, small_work());
  grid.campaign.input = {{"osdf:///input", input_size}};
  grid.site().pilot_kill_per_second = 1e-2;
  engine::Replica const replica = grid.run(3);
  REQUIRE(count(replica.history, history::EventKind::evicted, history::Reason::pilot_ended) > 0);
  CHECK(violations(grid, replica) == "");
  CHECK(ledger::account(replica.history).total.compute_success.value() == Approx(4 * 100));
}

TEST_CASE("a job of four GPUs takes a node, and a quarter of the steps") {
  scenario::CatalogueWork work = small_work();
  work.profile.dataset.samples = 400;
  work.profile.exchange.gradient = Bytes(1);
  Grid grid = training_grid(7, 3, work);
  grid.pool.sites[0].gpus_per_node = 4;
  grid.campaign.request.gpus = 4;
  engine::Replica const replica = grid.run();
  std::vector<double> ends;
  for (std::size_t job = 0; job < 3; ++job) ends.push_back(end_of(replica, job));
  // 7 GPUs are one whole node: one job after the other.
  CHECK(ends[0] == Approx(101).epsilon(1e-3));
  CHECK(ends[1] == Approx(202).epsilon(0.01));
  CHECK(ends[2] == Approx(303).epsilon(0.01));
  CHECK(replica.history.gpus_per_job == 4);
}

TEST_CASE("an eviction costs the work since the last checkpoint") {
  scenario::CatalogueWork work = small_work();
  work.profile.checkpoint.size = Bytes(2e6);  // 2 s
  Grid grid = training_grid(1, 1, work);
  grid.strategy.retry.policy.checkpoint_every_epochs = 3;
  history::JobHistory const whole = grid.run().history;
  CHECK(count(whole, history::EventKind::checkpointed) == 3);
  CHECK(times(events_of(whole, 0), history::EventKind::transfer_output_started).back().value() ==
        Approx(1 + 100 + 3 * 2).epsilon(1e-3));
  auto const stored = times(events_of(whole, 0), history::EventKind::checkpointed);
  CHECK(stored[0].value() == Approx(1 + 30 + 2).epsilon(1e-3));
  CHECK(stored[1].value() == Approx(1 + 60 + 4).epsilon(1e-3));

  Grid killed = grid;
  killed.site().pilot_kill_per_second = 1. / 60;
  engine::Replica const replica = killed.run(5);
  auto const events = events_of(replica.history, 0);
  auto const evicted = times(events, history::EventKind::evicted);
  auto const checkpoints = times(events, history::EventKind::checkpointed);
  REQUIRE(evicted.size() >= 1);
  check_all_time_counted(replica);
  CHECK(checkpoints.size() == 3);  // none is written twice: work goes on from the last one
  ledger::LedgerLines const total = ledger::account(replica.history).total;
  CHECK(total.compute_success.value() == Approx(100).epsilon(1e-3));
}

TEST_CASE("a checkpoint that is written while training goes on is worth nothing before its end") {
  scenario::CatalogueWork work = small_work();
  work.profile.checkpoint.size = Bytes(20e6);
  work.profile.checkpoint.mode = scenario::SaveMode::overlap;
  Grid grid = training_grid(1, 1, work);
  grid.strategy.retry.policy.checkpoint_every_epochs = 3;
  auto const events = events_of(grid.run().history, 0);
  auto const stored = times(events, history::EventKind::checkpointed);
  REQUIRE(stored.size() >= 2);
  CHECK(stored[0].value() == Approx(1 + 30 + 20).epsilon(1e-3));
  CHECK(stored[1].value() == Approx(1 + 60 + 20).epsilon(1e-3));
}

TEST_CASE("streaming over a link that is wide enough takes as long as training") {
  engine::Replica const replica = streaming_grid(3, 31e6).run();
  for (std::size_t job = 0; job < 3; ++job)
    CHECK(end_of(replica, job) == Approx(101).epsilon(1e-3));
  CHECK(replica.audit.bytes_delivered.value() == Approx(3e9));
  CHECK(replica.audit.cache_misses == 3);  // all come before the cache has it
  CHECK(replica.audit.bytes_from_origin.value() == Approx(1e8));
}

TEST_CASE("streamed data have no archive that could be corrupt") {
  Grid grid = streaming_grid(3, 31e6);
  double const end = end_of(grid.run(), 2);
  grid.draw.corrupt_input = 1;
  grid.draw.corrupt_execution = Seconds(33);
  CHECK(end_of(grid.run(), 2) == end);
}

TEST_CASE("streaming over a link that is too thin takes as long as the link needs") {
  engine::Replica const replica = streaming_grid(3, 15e6).run();
  for (std::size_t job = 0; job < 3; ++job) {
    CHECK(end_of(replica, job) == Approx(1 + 3e9 / 15e6).epsilon(1e-3));
  }
}

TEST_CASE("more bandwidth never makes streaming slower") {
  double before = 1e9;
  for (double link = 5e6; link < 1e8; link *= 1.3) {
    double const end = end_of(streaming_grid(4, link).run(), 3);
    CHECK(end <= before + 1e-3);
    before = end;
  }
}

TEST_CASE("streaming meets a stall at each epoch and loses the work so far") {
  Grid grid = streaming_grid(1, 1e12);
  grid.draw.outages.stall_when_quiet = 0.3;
  grid.strategy.transfer.stall_timeout = Seconds(100);
  grid.strategy.transfer.first_check = Seconds(0);
  grid.strategy.transfer.check_interval = Seconds(1e-3);
  engine::Replica const replica = grid.run(1);
  check_all_time_counted(replica);
  auto const events = events_of(replica.history, 0);
  auto const failed = times(events, history::EventKind::shadow_exception);
  auto const executing = times(events, history::EventKind::executing);
  REQUIRE(failed.size() >= 2);
  for (std::size_t i = 0; i < failed.size(); ++i) {
    double const epochs = ((failed[i] - executing[i]).value() - 100) / 10;
    CHECK(epochs == Approx(std::round(epochs)).margin(1e-3));
  }
  auto const ended = times(events, history::EventKind::transfer_output_started);
  CHECK((ended.at(0) - executing.back()).value() == Approx(100).epsilon(1e-3));
}

TEST_CASE("an execution over the limit is held, unless it saves itself in time") {
  Grid grid = training_grid(1, 1, small_work());
  grid.pool.access_point.max_execution = Seconds(50);
  grid.pool.access_point.policy_interval = Seconds(1);
  for (scenario::DataAccess const data :
       {scenario::DataAccess::copy, scenario::DataAccess::stream}) {
    grid.strategy.training.data = data;
    auto const held = events_of(grid.run().history, 0).back();
    CHECK(held.kind == history::EventKind::held);
    CHECK(held.reason == history::Reason::execution_too_long);
    CHECK(held.at.value() == Approx(1 + 50).margin(1.01));
  }
}

TEST_CASE("a workload of the catalogue with known work takes its time on the site's GPU too") {
  Grid grid = timed_grid(1, 1);
  grid.pool.sites[0].gpu = "gpu";
  scenario::CatalogueWork work = small_work();
  work.profile.checkpoint.size = Bytes(6e6);  // 6 s, half way and at the end
  grid.campaign.work.catalogue = std::make_shared<scenario::CatalogueWork>(work);
  grid.campaign.work.epochs = 0;
  grid.site().speed = 3;  // of what was calibrated
  policy_of(grid).checkpoint_every_epochs = 5;
  history::JobHistory const history = grid.run().history;
  auto const events = events_of(history, 0);
  CHECK(count(history, history::EventKind::checkpointed) == 1);
  Seconds const end = times(events, history::EventKind::transfer_output_started).back();
  Seconds const time = end - times(events, history::EventKind::executing)[0];
  CHECK(time.value() == Approx(100 + 2 * 6).epsilon(1e-4));
}

}  // namespace gridcast::test
