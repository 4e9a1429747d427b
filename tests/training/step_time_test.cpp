#include "sim/training/step_time.hpp"

#include "tests/test.hpp"
#include "tests/training/catalogue.hpp"

namespace gridcast::test {

TEST_CASE(
    "a step is forward, backward, the slowest rank, what the exchange adds, and the optimizer") {
  training::TrainingSetup setup = plain_setup();
  setup.gpus = 2;
  setup.profile.compute.forward_share = 0.25;
  setup.profile.compute.slow_per_doubling = 0.1;
  setup.profile.compute.optimizer = Seconds(0.05);
  setup.profile.exchange = {Bytes(1e8), Bytes(25e6), Bytes(25e6), 0};
  training::StepTime const step = training::step_time(setup, 10);
  CHECK(step.forward.value() == Approx(0.25));
  CHECK(step.backward.value() == Approx(0.75));
  CHECK(step.straggling.value() == Approx(0.1));
  CHECK(step.exchange.value() == Approx(0.1));
  CHECK(step.total().value() == Approx(1.25));
}

TEST_CASE("time grows with the batch, but for the overhead, and with a slower GPU") {
  training::TrainingSetup setup = plain_setup();
  setup.profile.compute.step_overhead = Seconds(0.2);
  CHECK(training::compute_time(setup, 10).value() == Approx(1));
  CHECK(training::compute_time(setup, 20).value() == Approx(1.8));
  CHECK(training::compute_time(setup, 5).value() == Approx(0.6));
  setup.gpu_factor = 2;
  CHECK(training::compute_time(setup, 10).value() == Approx(2));
}

TEST_CASE("validation is shared among the GPUs and has no backward pass") {
  training::TrainingSetup setup = plain_setup();
  setup.profile.train.validation_samples = 50;
  setup.profile.compute.forward_share = 0.5;
  CHECK(validation_time(setup).value() == Approx(2.5));
  setup.gpus = 5;
  CHECK(validation_time(setup).value() == Approx(0.5));
}

}  // namespace gridcast::test
