#include "sim/training/progress.hpp"

#include "tests/test.hpp"
#include "tests/training/catalogue.hpp"

namespace gridcast::test {

namespace {

/// 10 s before work, 100 s of it, 2 s for a checkpoint at each 30 s of work.
training::TrainingWork const plain{Seconds(10), Seconds(100), Seconds(30), Seconds(30),
                                   Seconds(2),  Seconds(0),   Seconds(2)};

double saved(double done, double elapsed) {
  return plain.saved_work(Seconds(done), Seconds(elapsed)).value();
}

}  // namespace

TEST_CASE("an execution pays the start, the work that is left, and the checkpoints to come") {
  CHECK(plain.execution(Seconds(0)).value() == Approx(10 + 100 + 3 * 2));
  CHECK(plain.execution(Seconds(30)).value() == Approx(10 + 70 + 2 * 2));
  CHECK(plain.execution(Seconds(90)).value() == Approx(10 + 10));
}

TEST_CASE("an eviction loses what the last written checkpoint does not hold") {
  CHECK(saved(0, 5) == 0);
  CHECK(saved(0, 41) == 0);  // written from 40 s to 42 s
  CHECK(saved(0, 42) == Approx(30));
  CHECK(saved(0, 73.9) == Approx(30));
  CHECK(saved(0, 74) == Approx(60));
  CHECK(saved(60, 41.9) == Approx(60));
  CHECK(saved(60, 42) == Approx(90));
}

TEST_CASE("an overlapped checkpoint is worth nothing before it is written") {
  training::TrainingWork overlapped = plain;
  overlapped.save = Seconds(0);
  overlapped.written = Seconds(20);
  CHECK(overlapped.saved_work(Seconds(0), Seconds(59)).value() == 0);
  CHECK(overlapped.saved_work(Seconds(0), Seconds(60)).value() == Approx(30));
  CHECK(overlapped.saved_work(Seconds(0), Seconds(90)).value() == Approx(60));
}

TEST_CASE("without checkpoints an eviction loses everything") {
  training::TrainingWork none = plain;
  none.interval = Seconds(0);
  CHECK(none.saved_work(Seconds(0), Seconds(100)) == Seconds(0));
  CHECK(none.execution(Seconds(0)).value() == Approx(110));
}

TEST_CASE("evicted again and again, a job still ends, having trained all its work") {
  Seconds done, spent;
  int executions = 0;
  while (done < plain.work && executions < 100) {
    ++executions;
    Seconds const needed = plain.execution(done);
    Seconds const given(45);
    if (needed <= given) {
      done = plain.work;
      spent += needed;
    } else {
      done = plain.saved_work(done, given);
      spent += given;
    }
  }
  CHECK(executions == 4);
  CHECK(spent.value() == Approx(3 * 45 + 20));
}

TEST_CASE("uninterrupted, it is the estimate, for every shipped profile") {
  for (auto const& name : scenario::profile_names(shipped_files().profiles)) {
    training::TrainingSetup const setup =
        training::training_setup(shipped_profile(name), catalogue(), {});
    INFO(name);
    CHECK(training_work(setup).execution(Seconds(0)).value() ==
          Approx(training::estimate_training(setup).total.value()));
  }
}

TEST_CASE("checkpoints by epoch: an eviction costs less than an epoch of work") {
  scenario::Profile profile = shipped_profile("resnet50-imagenet-osg");
  profile.checkpoint.size = Bytes(200e6);
  profile.checkpoint.every_epochs = 1;
  training::TrainingRequest request;
  request.epochs = 20;
  training::TrainingWork const work =
      training_work(training::training_setup(profile, catalogue(), request));
  CHECK(work.interval.value() == Approx(work.work.value() / 20));
  Seconds const elapsed = work.once + work.interval * 7.5;
  CHECK(work.saved_work(Seconds(0), elapsed).value() == Approx(7 * work.interval.value()));
}

}  // namespace gridcast::test
