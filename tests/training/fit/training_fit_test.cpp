#include "sim/training/fit/training_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tests/test.hpp"
#include "tests/training/catalogue.hpp"
#include "tests/training/published/source_table.hpp"
#include "tests/training/vague_scaling.hpp"

namespace gridcast::test {
namespace {

using training::RunRow;

scenario::Profile resnet50() {
  scenario::Profile base;
  base.exchange.gradient = Bytes(51.1e6);
  return base;
}

RunRow run(std::string const& family, int nodes, int gpus, int batch, double epoch = 1) {
  return {family, "A100", gpus, nodes, batch, 1281167, Seconds(epoch), 2};
}

/// The measurements of a machine with known parameters.
RunRow measured(scenario::StepDraw const& truth, RunRow row) {
  row.epoch = training::epoch_of(truth, 256, resnet50(), row);
  return row;
}

scenario::StepDraw truth() {
  scenario::StepDraw draw;
  draw.step_time = Seconds(0.1);
  draw.step_overhead = Seconds(0.006);
  draw.intra_bandwidth = draw.inter_bandwidth = training::unlimited_link;
  return draw;
}

training::FitOptions quick() { return {1, 400}; }

training::EpochForecast forecast(std::vector<RunRow> const& rows, RunRow const& wanted) {
  auto const fit = training::fit_training(rows, resnet50(), quick());
  return training::forecast(fit.families.front(), fit.base, wanted);
}

}  // namespace

TEST_CASE("a machine of known parameters is found, and its larger runs are in the intervals") {
  scenario::StepDraw machine = truth();
  machine.slow_across_nodes = 0.1;
  std::vector<RunRow> rows;
  for (auto const& row : {run("a", 1, 4, 256), run("a", 1, 4, 64), run("a", 2, 8, 256),
                          run("a", 4, 16, 64), run("a", 4, 16, 256)}) {
    rows.push_back(measured(machine, row));
  }
  RunRow const larger = measured(machine, run("a", 16, 64, 64));
  auto const forecast_of = forecast(rows, larger);
  CHECK(forecast_of.median / larger.epoch == Approx(1).epsilon(0.05));
  CHECK(forecast_of.interval.contains(larger.epoch.value()));
}

TEST_CASE("one row is enough for an answer, a wide one, and two make it narrower") {
  RunRow const one = measured(truth(), run("a", 1, 4, 256));
  RunRow const two = measured(truth(), run("a", 4, 16, 64));
  RunRow const wanted = measured(truth(), run("a", 8, 32, 32));
  auto const width = [&](std::vector<RunRow> const& rows) {
    auto const f = forecast(rows, wanted);
    CHECK(f.interval.contains(wanted.epoch.value()));
    return std::log(f.interval.high / f.interval.low);
  };
  double const of_one = width({one}), of_two = width({one, two});
  CHECK(of_one > 0.3);
  CHECK(of_two < of_one);
  CHECK(of_two > 0.03);
}

TEST_CASE("rows that contradict each other give an interval that is as wide as that") {
  for (double const longer : {200., 1000., 1e6}) {
    INFO(longer);
    auto const f =
        forecast({run("a", 1, 4, 256, 100), run("a", 1, 4, 256, longer)}, run("a", 1, 4, 256));
    CHECK(f.interval.low < 100);
    CHECK(f.interval.high > longer);
  }
}

TEST_CASE("rows that are too fast for smaller ones are in their intervals too") {
  RunRow const few = run("a", 1, 1, 256, 100), more = run("a", 1, 4, 256, 5);
  for (RunRow const& row : {few, more}) {
    CHECK(forecast({few, more}, row).interval.contains(row.epoch.value()));
  }
}

// One run takes a fifth longer than the line: a hot node, a busy store.
TEST_CASE("one odd row does not carry the forecast away, and its weight shows it") {
  scenario::StepDraw machine = truth();
  machine.slow_per_doubling = 0.01;
  std::vector<RunRow> rows;
  for (int const nodes : {1, 2, 4, 8}) {
    rows.push_back(measured(machine, run("a", nodes, 4 * nodes, 256)));
  }
  RunRow const larger = measured(machine, run("a", 32, 128, 256));
  for (std::size_t odd = 1; odd < rows.size(); ++odd) {
    INFO(odd);
    auto changed = rows;
    changed[odd].epoch = changed[odd].epoch * 1.2;
    auto const fit = training::fit_training(changed, resnet50(), quick());
    auto const& family = fit.families.front();
    auto const f = training::forecast(family, fit.base, larger);
    CHECK(f.median / larger.epoch == Approx(1).epsilon(0.1));
    auto const least = std::min_element(family.weights.begin(), family.weights.end());
    CHECK(least - family.weights.begin() == static_cast<std::ptrdiff_t>(odd));
    CHECK(*least < 0.5);
  }
}

TEST_CASE("the pooled line finds the means and the spread of systems that follow it") {
  constexpr int families = 40;
  std::vector<RunRow> rows;
  for (int i = 0; i < families; ++i) {
    double const u = (i + 0.5) / families;  // losses from 2 to 4 % a doubling, evenly
    scenario::StepDraw machine = truth();
    machine.slow_per_doubling = 0.02 + 0.02 * u;
    machine.slow_across_nodes = 0.05;
    for (auto const& [nodes, batch] : {std::pair{1, 256}, {1, 64}, {4, 256}, {8, 64}, {16, 128}}) {
      rows.push_back(measured(machine, run(fmt::format("f{}", i), nodes, 4 * nodes, batch)));
    }
  }
  auto options = quick();
  options.prior = training::vague_scaling();
  auto const pooled = training::fit_training(rows, resnet50(), options).scaling;
  CHECK(pooled.mean[training::line::overhead] == Approx(0.06).epsilon(0.1));
  CHECK(pooled.mean[training::line::doubling] == Approx(0.03).epsilon(0.1));
  CHECK(pooled.mean[training::line::crossing] == Approx(0.05).epsilon(0.15));
  // The variance of the families, and that of the prior, each by its number of families.
  auto const& prior = options.prior;
  double const of_prior = prior.families * std::pow(prior.spread[training::line::doubling], 2);
  double const of_families = families * 0.02 * 0.02 / 12;
  CHECK(pooled.spread[training::line::doubling] ==
        Approx(std::sqrt((of_prior + of_families) / (prior.families + families))).epsilon(0.1));
  CHECK(pooled.noise < 0.01);
}

TEST_CASE("the shipped prior comes from the published systems") {
  auto rows = training::read_runs(shipped_files().data / "mlperf" / "training.csv", 0, "").rows;
  auto const kempner = training::published::kempner_rows(shipped_files());
  rows.insert(rows.end(), kempner.begin(), kempner.end());
  training::FitOptions options;
  options.draws = 1;
  options.prior = training::vague_scaling();
  auto const pooled = training::fit_training(rows, resnet50(), options).scaling;
  auto const shipped = training::published_scaling();
  for (auto const k :
       {training::line::overhead, training::line::doubling, training::line::crossing}) {
    INFO(k << ": mean " << pooled.mean[k] << ", spread " << pooled.spread[k]);
    CHECK(shipped.mean[k] == Approx(pooled.mean[k]).margin(0.0006));
    CHECK(shipped.spread[k] == Approx(pooled.spread[k]).margin(0.0006));
  }
  CHECK(shipped.noise == Approx(pooled.noise).margin(0.0006));
}

TEST_CASE("families that were measured at several scales inform one that was not") {
  scenario::StepDraw machine = truth();
  machine.step_overhead = Seconds(0.012);
  std::vector<RunRow> rows = {measured(machine, run("lone", 1, 4, 256))};
  RunRow const wanted = measured(machine, run("lone", 1, 4, 16));
  auto const alone = forecast(rows, wanted);
  for (char const* family : {"a", "b", "c", "d"}) {
    for (int const batch : {256, 64, 16}) {
      rows.push_back(measured(machine, run(family, 1, 4, batch)));
    }
  }
  auto const together = forecast(rows, wanted);
  CHECK(std::abs(std::log(together.median / wanted.epoch)) <
        std::abs(std::log(alone.median / wanted.epoch)));
  CHECK(together.interval.low < wanted.epoch.value());
  CHECK(wanted.epoch.value() < together.interval.high);
}

TEST_CASE("the same seed gives the same fit") {
  std::vector<RunRow> const rows = {run("a", 1, 4, 256, 100), run("a", 2, 8, 256, 60)};
  RunRow const wanted = run("a", 4, 16, 128);
  CHECK(forecast(rows, wanted).median == forecast(rows, wanted).median);
}

}  // namespace gridcast::test
