// Changes of the campaign itself (SubmitStrategy), by closed forms on the quiet grid: a job takes
// 10 s of transfer and 1,000 s of execution.
#include <algorithm>
#include <string>

#include "sim/scenario/submit_strategy.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/record.hpp"
#include "tests/engine/quiet_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::study {
namespace {

scenario::Scenario scenario_of(test::Grid const& grid) {
  scenario::Scenario scenario;
  scenario.pool = grid.pool;
  scenario.campaign = grid.campaign;
  scenario.calibration.draws = {grid.draw};
  return scenario;
}

struct Figures {
  double jobs, succeeded, makespan, badput, others;
};

Figures figures_of(test::Grid const& grid, scenario::SubmitStrategy const& changes,
                   std::optional<Seconds> horizon = {}) {
  auto strategy = grid.strategy;
  strategy.submit = changes;
  auto const scenario = scenario_of(grid);
  StudyOptions options;
  options.simulation.horizon = horizon;
  auto const record = predict_replica(scenario, strategy, options, 0);
  auto const names = record_names(site_names(scenario), options.rows);
  auto const at = [&](std::string const& name) {
    auto const found = std::find(names.begin(), names.end(), name);
    return record[static_cast<std::size_t>(found - names.begin())];
  };
  return {at("jobs"), at("succeeded"), at("makespan_s"), at("badput_s"),
          at("wrong_output") + at("held") + at("removed") + at("unfinished")};
}

TEST_CASE("jobs that are joined fetch their input once and count as before", "[submit]") {
  auto const grid = test::quiet_grid(1, 4);
  auto const alone = figures_of(grid, {}), joined = figures_of(grid, {.jobs_in_one = 2});
  CHECK(alone.makespan == Approx(4 * 1010).margin(10));
  CHECK(joined.makespan == Approx(2 * 2010).margin(10));
  CHECK(joined.jobs == 4);
  CHECK(joined.succeeded == 4);
}

TEST_CASE("the work of a joined job is the sum of its parts in a calibration of logs", "[submit]") {
  auto grid = test::quiet_grid(1, 4);
  grid.draw.work = Seconds(1000);
  CHECK(figures_of(grid, {.jobs_in_one = 4}).makespan == Approx(4010).margin(10));
}

TEST_CASE("groups of jobs are submitted one after the other", "[submit]") {
  auto const grid = test::quiet_grid(4, 4);
  auto const staged = figures_of(grid, {.jobs_at_a_time = 1, .every = Seconds(5000)});
  CHECK(staged.makespan == Approx(3 * 5000 + 1010).margin(10));
  CHECK(staged.succeeded == 4);
}

TEST_CASE("max_materialize limits the jobs in the queue", "[submit]") {
  auto const grid = test::quiet_grid(4, 4);
  CHECK(figures_of(grid, {.max_materialize = 1}).makespan == Approx(4 * 1010).margin(10));
}

TEST_CASE("parts of a file fail together as often as the file does", "[submit]") {
  auto grid = test::quiet_grid(2000, 2000);
  grid.site().url_failure = 0.6;
  grid.draw.hold_on_failure = 1;
  test::nobody_releases(grid);
  CHECK(figures_of(grid, {}).succeeded / 2000 == Approx(0.4).margin(0.04));
  CHECK(figures_of(grid, {.input_parts = 5}).succeeded / 2000 == Approx(0.4).margin(0.04));
}

TEST_CASE("a second copy of a job that hangs has its own chance", "[submit]") {
  constexpr int jobs = 1000;
  auto grid = test::quiet_grid(2 * jobs, jobs);
  grid.site().url_hang = 0.5;
  grid.strategy.transfer.stall_timer = scenario::StallTimer::never;
  Seconds const horizon(8000);
  auto const alone = figures_of(grid, {}, horizon);
  auto const twice = figures_of(grid, {.second_copy_after = Seconds(5000)}, horizon);
  CHECK(alone.succeeded / jobs == Approx(0.5).margin(0.05));
  CHECK(twice.succeeded / jobs == Approx(0.75).margin(0.05));
  CHECK(twice.jobs == jobs);
  CHECK(twice.succeeded + twice.others == jobs);
  // The copy has the slot from 5,000 s on: 1,010 s if it succeeds, else until the horizon.
  double const half = jobs - alone.succeeded, saved = twice.succeeded - alone.succeeded;
  double const first = half * 8000 - saved * (8000 - 6010);
  CHECK(twice.badput == Approx(first + (half - saved) * 3000).epsilon(0.01));
}

TEST_CASE("the first result ends the other copy, and its cost is included", "[submit]") {
  auto const grid = test::quiet_grid(2, 1);
  auto const twice = figures_of(grid, {.second_copy_after = Seconds(500)});
  CHECK(twice.succeeded == 1);
  CHECK(twice.makespan == Approx(1010).margin(5));
  CHECK(twice.badput == Approx(510).margin(10));
  CHECK(twice.others == 0);
}

TEST_CASE("copies of jobs that come after the horizon, or are too large, never come", "[submit]") {
  auto grid = test::quiet_grid(2, 4);
  scenario::SubmitStrategy const late{
      .jobs_at_a_time = 1, .every = Seconds(3000), .second_copy_after = Seconds(500)};
  auto const ended = figures_of(grid, late, Seconds(4000));
  CHECK(ended.succeeded == 1);
  CHECK(ended.jobs == 4);
  CHECK(ended.others == 3);
  grid.pool.access_point.max_transfer_input = Bytes(1e6);
  grid.strategy.transfer.protocol = scenario::Protocol::htcondor;
  test::nobody_releases(grid);
  CHECK(figures_of(grid, {.second_copy_after = Seconds(500)}).others == 4);
  CHECK(figures_of(grid, {.second_copy_after = Seconds(5000)}, Seconds(4000)).others == 4);
  // The first job stays on hold, and the others are never made.
  auto const blocked = figures_of(grid, {.max_materialize = 1, .second_copy_after = Seconds(500)});
  CHECK(blocked.others == 4);
  CHECK(blocked.makespan < 4000);
}

TEST_CASE("a copy has the work of its job", "[submit]") {
  auto grid = test::quiet_grid(2, 1);
  grid.draw.work = Seconds(1000);
  grid.draw.job_sigma = 1;
  auto const alone = figures_of(grid, {});
  CHECK(figures_of(grid, {.second_copy_after = Seconds(5)}).makespan ==
        Approx(alone.makespan).margin(1));
}

TEST_CASE("recorded jobs stay as they are", "[submit]") {
  auto scenario = scenario_of(test::quiet_grid(1, 4));
  scenario.calibration.recorded = std::make_shared<history::RecordedCampaign>();
  scenario::Strategy strategy;
  strategy.submit = {.max_materialize = 2, .jobs_in_one = 2, .second_copy_after = Seconds(5)};
  auto const campaign = scenario::submitted_campaign(scenario, strategy);
  CHECK(campaign.jobs() == 4);
  CHECK(campaign.max_materialize == 2);
}

}  // namespace
}  // namespace gridcast::study
