#include "sim/training/input_pipeline.hpp"
#include "tests/test.hpp"
#include "tests/training/catalogue.hpp"

namespace gridcast::test {

namespace {

/// 100 steps of 1 s an epoch, a checkpoint of 5 MB at 1 MB/s in 2 files of 0.5 s.
training::TrainingSetup saving(int epochs) {
  training::TrainingSetup setup = plain_setup();
  setup.profile.train.epochs = epochs;
  setup.profile.checkpoint.size = Bytes(5e6);
  setup.profile.checkpoint.files = 2;
  setup.save_to.open_latency = Seconds(0.5);
  return setup;
}

training::SavePlan plan_of(training::TrainingSetup const& setup) {
  return training::save_plan(setup, 100, Seconds(1), Seconds(100));
}

}  // namespace

TEST_CASE("a checkpoint takes its opens and its bytes") {
  training::TrainingSetup setup = saving(1);
  CHECK(save_time(setup).value() == Approx(6));
  setup.profile.checkpoint.all_ranks = true;
  setup.gpus = 4;
  CHECK(save_time(setup).value() == Approx(6));  // each writes as fast as one alone
  setup.save_to.bandwidth = BytesPerSecond(2e6);
  CHECK(save_time(setup).value() == Approx(11));  // ... unless the store is full
  CHECK(writers(setup) == 4);
}

TEST_CASE("intervals in steps, epochs and seconds") {
  training::TrainingSetup setup = saving(3);
  CHECK(plan_of(setup).count == 0);
  setup.profile.checkpoint.every_steps = 40;
  CHECK(plan_of(setup).count == 7);
  CHECK(plan_of(setup).cost.value() == Approx(42));
  CHECK(plan_of(setup).written == Bytes(35e6));
  setup.profile.checkpoint.every_steps = 0;
  setup.profile.checkpoint.every_epochs = 1;
  CHECK(plan_of(setup).count == 3);
  setup.profile.checkpoint.first_epoch = 2;
  CHECK(plan_of(setup).count == 2);
  setup.profile.checkpoint.every_epochs = 0;
  setup.profile.checkpoint.every = Seconds(59.5);  // that is, every 60 steps
  CHECK(plan_of(setup).count == 5);
}

TEST_CASE("DLIO's unet3d saves after the fifth of five epochs, once") {
  training::TrainingSetup setup = saving(5);
  setup.profile.checkpoint.every_epochs = 2;
  setup.profile.checkpoint.first_epoch = 5;
  CHECK(plan_of(setup).count == 1);
}

TEST_CASE("an overlapped checkpoint costs the time beyond the interval") {
  training::TrainingSetup setup = saving(1);
  setup.profile.checkpoint.mode = scenario::SaveMode::overlap;
  setup.profile.checkpoint.every_steps = 30;  // at 30, 60 and 90 s; 10 s are left, 6 are needed
  CHECK(plan_of(setup).cost == Seconds(0));
  setup.profile.checkpoint.every_steps = 50;  // the last one at the very end
  CHECK(plan_of(setup).cost.value() == Approx(6));
  setup.profile.checkpoint.every_steps = 4;  // the next one waits for 2 s, 24 times, then 6 s
  CHECK(plan_of(setup).cost.value() == Approx(24 * 2 + 6));
}

TEST_CASE("overlapping is never slower than waiting, a longer interval never either") {
  for (auto const mode : {scenario::SaveMode::wait, scenario::SaveMode::overlap}) {
    double before = 1e9;
    for (int steps = 1; steps <= 128; steps *= 2) {
      training::TrainingSetup setup = saving(4);
      setup.profile.checkpoint.every_steps = steps;
      setup.profile.checkpoint.mode = mode;
      double const now = plan_of(setup).cost.value();
      CHECK(now <= before);
      before = now;
      setup.profile.checkpoint.mode = scenario::SaveMode::wait;
      CHECK(now <= plan_of(setup).cost.value());
    }
  }
}

TEST_CASE("the last checkpoint comes at the end, unless there is one already") {
  training::TrainingSetup setup = saving(1);
  setup.profile.checkpoint.at_end = true;
  CHECK(plan_of(setup).count == 1);
  setup.profile.checkpoint.every_steps = 50;
  CHECK(plan_of(setup).count == 2);
  setup.profile.checkpoint.every_steps = 40;
  CHECK(plan_of(setup).count == 3);
}

}  // namespace gridcast::test
