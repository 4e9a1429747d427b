#include "sim/training/batch_queue.hpp"

#include <limits>

#include "tests/test.hpp"
#include "tests/training/catalogue.hpp"

namespace gridcast::test {

namespace {

training::Loader loader(double load, int lanes, int depth) {
  training::Loader made;
  made.alone = made.load = Seconds(load);
  made.lanes = lanes;
  made.depth = depth;
  return made;
}

Seconds waiting(training::Loader const& loader, int steps, double step,
                training::Stall const& stall) {
  return training::stalled_steps({steps, 0}, loader, loader, Seconds(step), Seconds(0), stall)
      .waiting;
}

training::Stall const never{std::numeric_limits<double>::infinity(), 0, Seconds(0)};

}  // namespace

TEST_CASE("without stalls, batches one by one are the closed form") {
  for (int const lanes : {0, 1, 3, 7}) {
    for (int const more : {0, 2}) {
      for (double const load : {0.1, 2.9, 4.0, 30.0}) {
        for (int const steps : {1, 6, 7, 100}) {
          training::Loader const one = loader(load, lanes, lanes + (lanes > 0 ? more : 0));
          training::StepsTime const closed =
              training::steps_time({steps, 0}, one, one, Seconds(1), Seconds(0));
          CHECK(waiting(one, steps, 1, never).value() ==
                Approx(closed.waiting().value()).margin(1e-9));
        }
      }
    }
  }
}

// Batches are ready at 2, 4, 6 and, training standing still from 7 to 17, at 8, 10 and 19 s: the
// buffer of two was full, and the sixth could only be begun when the fourth was taken at 17 s.
TEST_CASE("readers go on while training stands still, as far as the buffer goes") {
  training::Loader const slow = loader(2, 1, 2);
  CHECK(waiting(slow, 6, 1, never).value() == Approx(2 + 5 * 1));
  CHECK(waiting(slow, 6, 1, {3, 0, Seconds(10)}).value() == Approx(2 + 1 + 1));
  // Three of the steps came in an epoch before: the stall is the same.
  CHECK(waiting(slow, 6, 1, {6, 3, Seconds(10)}).value() == Approx(2 + 1 + 1));
  // No time to catch up, nothing gained.
  CHECK(waiting(slow, 6, 1, {3, 0, Seconds(0)}) == waiting(slow, 6, 1, never));
}

TEST_CASE(
    "a stall never makes training wait more for its batches, and none without prefetching less") {
  for (double const stall : {0.5, 3.0, 50.0}) {
    for (double const every : {1., 4., 10.}) {
      training::Loader const slow = loader(8, 4, 8);
      CHECK(waiting(slow, 100, 1, {every, 0, Seconds(stall)}) <= waiting(slow, 100, 1, never));
      training::Loader const none = loader(8, 0, 0);
      CHECK(waiting(none, 100, 1, {every, 0, Seconds(stall)}) == waiting(none, 100, 1, never));
    }
  }
}

TEST_CASE("a checkpoint to the store that is read takes its bandwidth from starving readers") {
  training::TrainingSetup setup = plain_setup();
  setup.storage.name = "store";
  setup.storage.bandwidth = BytesPerSecond(4e6);
  setup.storage.write_bandwidth = BytesPerSecond(1e6);
  setup.profile.checkpoint.size = Bytes(10e6);
  setup.save_to = setup.storage;  // 10 s, with a quarter of the bandwidth
  setup.profile.reader.threads = 8;
  training::Loader const starving = training::make_loader(setup, 10, 0);
  CHECK(lost_to_checkpoint(setup, starving).value() == Approx(10 * 0.25));
  setup.profile.reader.threads = 2;  // they want half of it, and half is more than a quarter
  CHECK(lost_to_checkpoint(setup, training::make_loader(setup, 10, 0)) == Seconds(0));
  setup.profile.reader.threads = 3;
  setup.storage.write_bandwidth = setup.save_to.write_bandwidth = BytesPerSecond(2e6);
  // 3/4 and 2/4 are a quarter too much, a third of what the readers want, for 5 s.
  CHECK(lost_to_checkpoint(setup, training::make_loader(setup, 10, 0)).value() == Approx(5 / 3.));
  setup.save_to.name = "elsewhere";
  CHECK(lost_to_checkpoint(setup, starving) == Seconds(0));
}

TEST_CASE("the last round of lanes has what is left, and shares the store among fewer") {
  training::Loader shared = loader(1, 4, 4);
  shared.shared = Seconds(1);
  CHECK(training::load_of_batch(shared, {6, 0}, 0) == Seconds(4));
  CHECK(training::load_of_batch(shared, {6, 0}, 3) == Seconds(4));
  CHECK(training::load_of_batch(shared, {6, 0}, 4) == Seconds(2));
  CHECK(training::load_of_batch(shared, {2, 0}, 0) == Seconds(2));
}

}  // namespace gridcast::test
