// Answers of the shipped training scenarios. Each runs 40 replicas of its own seed; margins are far
// wider than the differences' intervals.
#include <filesystem>

#include "sim/study/comparison.hpp"
#include "sim/study/prediction.hpp"
#include "sim/training/execution.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

bool is_calibrated() {
  auto const file = test::source_dir() / "calibration/fitted/osg-imagenet.yaml";
  bool const exists = std::filesystem::exists(file);
  if (!exists) WARN("skipped: calibration/fitted/osg-imagenet.yaml does not exist");
  return exists;
}

scenario::Scenario shipped(std::string const& name) {
  scenario::Scenario scenario = scenario::read_scenario(test::source_dir() / "scenarios" / name);
  training::check_training(scenario);
  return scenario;
}

struct Medians {
  double gpu_hours, makespan, succeeded, badput, evicted;
};

Medians medians(scenario::Scenario const& scenario, std::string const& strategy) {
  study::StudyOptions options;
  options.replicas = 40;
  options.seed = scenario.study.seed;
  options.processes = 2;
  auto const sample = study::predict(scenario, scenario.strategy(strategy), options).sample;
  auto const median = [&sample](char const* name) { return study::summarise(sample, name).p50; };
  return {median("gpu_hours_per_success"), median("makespan_s"), median("succeeded"),
          median("badput_s"), median("compute_evicted_s")};
}

}  // namespace

TEST_CASE("streaming beats copying where epochs are few, and loses where they are many") {
  if (!is_calibrated()) return;
  scenario::Scenario const few = shipped("stream-or-copy.yaml");
  CHECK(medians(few, "stream-next-cache").gpu_hours < medians(few, "copy-next-cache").gpu_hours);
  scenario::Scenario const many = shipped("stream-or-copy-20-epochs.yaml");
  CHECK(medians(many, "stream-next-cache").gpu_hours >
        1.1 * medians(many, "copy-next-cache").gpu_hours);
}

TEST_CASE("streaming needs a link with the rate that the GPUs need") {
  if (!is_calibrated()) return;
  scenario::Scenario thin = shipped("stream-or-copy.yaml");
  thin.campaign.work.epochs = 2;
  for (scenario::ParameterDraw& draw : thin.calibration.draws) {
    for (auto& [name, site] : draw.sites) site.link_capacity = BytesPerSecond(50e6);
  }
  CHECK(medians(thin, "stream-next-cache").gpu_hours > medians(thin, "copy-next-cache").gpu_hours);
}

TEST_CASE("four GPUs finish sooner than one, and a stall costs four times as much") {
  if (!is_calibrated()) return;
  scenario::Scenario const four = shipped("four-gpu-jobs.yaml");
  scenario::Scenario one = four;
  one.campaign.request.gpus = 1;
  Medians const fours = medians(four, "next-cache");
  CHECK(fours.makespan < medians(one, "next-cache").makespan);
  CHECK(fours.badput < medians(four, "published").badput / 1.5);
  CHECK(medians(four, "published").gpu_hours > fours.gpu_hours);
}

TEST_CASE("a checkpoint each epoch saves work from evictions; one each minute costs more") {
  if (!is_calibrated()) return;
  scenario::Scenario const scenario = shipped("checkpoints-20-epochs.yaml");
  Medians const none = medians(scenario, "none");
  Medians const epoch = medians(scenario, "every-epoch");
  Medians const minute = medians(scenario, "every-minute");
  CHECK(epoch.succeeded > none.succeeded);
  CHECK(epoch.evicted < none.evicted);
  CHECK(epoch.gpu_hours < none.gpu_hours);
  CHECK(minute.gpu_hours > 1.05 * epoch.gpu_hours);
}

}  // namespace gridcast::test
