#include "sim/training/estimate.hpp"

#include "tests/test.hpp"
#include "tests/training/catalogue.hpp"

namespace gridcast::test {

TEST_CASE("a job without I/O worth the name is its steps") {
  training::TrainingSetup setup = plain_setup();
  setup.profile.reader.when = scenario::ReadWhen::never;
  setup.profile.train.epochs = 3;
  training::TrainingEstimate const estimate = estimate_training(setup);
  CHECK(estimate.total.value() == Approx(30));
  CHECK(estimate.samples_per_s == Approx(10));
  CHECK(estimate.efficiency == 1);
  CHECK(estimate.au == Approx(1));
  CHECK(estimate.io_share == 0);
}

TEST_CASE("parts add up to the whole, and each is where it belongs") {
  training::TrainingSetup setup = plain_setup();
  setup.profile.train.epochs = 2;
  setup.profile.train.warm_up_steps = 4;
  setup.profile.train.warm_up_slowdown = 1.5;
  setup.profile.train.validation_samples = 10;
  setup.profile.compute.forward_share = 0.5;
  setup.profile.compute.start = Seconds(100);
  setup.profile.compute.epoch_overhead = Seconds(7);
  setup.profile.reader.prefetch = 0;
  setup.profile.checkpoint.size = Bytes(3e6);
  setup.profile.checkpoint.every_epochs = 1;
  training::TimeParts const parts = estimate_training(setup).parts;
  CHECK(parts.start.value() == Approx(100));
  CHECK(parts.warm_up.value() == Approx(6));
  CHECK(parts.computing.value() == Approx(20));
  CHECK(parts.waiting.value() == Approx(200));
  CHECK(parts.epoch_overhead.value() == Approx(14));
  CHECK(parts.validation.value() == Approx(1));
  CHECK(parts.saving.value() == Approx(6));
  CHECK(estimate_training(setup).total.value() == Approx(347));
}

TEST_CASE("reader-bound and compute-bound limits") {
  training::TrainingSetup setup = plain_setup();  // 10 s to read a batch that computes for 1 s
  training::TrainingEstimate const starved = estimate_training(setup);
  CHECK(starved.total.value() == Approx(101));
  CHECK(starved.wait_share == Approx(91. / 101));
  CHECK(starved.io_share == Approx(100. / 101));
  CHECK(starved.au == Approx(9. / 90));  // without the first step's 11 s
  setup.storage.stream_bandwidth = BytesPerSecond(1e12);
  CHECK(estimate_training(setup).total.value() == Approx(10).epsilon(1e-4));
  CHECK(estimate_training(setup).au == Approx(1).epsilon(1e-4));
}

TEST_CASE("bytes, reads and opens are counted over all ranks") {
  training::TrainingSetup setup = plain_setup();
  setup.gpus = 2;
  setup.profile.reader.transfer_size = Bytes(5e5);
  setup.profile.train.epochs = 3;
  setup.profile.reader.page_cache = false;
  training::TrainingEstimate const estimate = estimate_training(setup);
  CHECK(estimate.from_store.value() == Approx(3e8));
  CHECK(estimate.opens == Approx(300));
  REQUIRE(estimate.reads.size() == 1);
  CHECK(estimate.reads[0].size == Bytes(5e5));
  CHECK(estimate.reads[0].count == Approx(600));
}

TEST_CASE("data in the page cache are not read from the store again") {
  training::TrainingSetup setup = plain_setup();
  setup.machine.cache_share = 1;
  setup.profile.train.epochs = 5;
  training::TrainingEstimate const estimate = estimate_training(setup);
  CHECK(estimate.from_store.value() == Approx(1e8));
  CHECK(estimate.from_cache.value() == Approx(4e8));
  CHECK(estimate.total.value() < 101 + 4 * 11);
}

TEST_CASE("data read into memory once, by each rank all of it or its part") {
  training::TrainingSetup setup = plain_setup();
  setup.gpus = 4;
  setup.profile.train.epochs = 2;
  setup.profile.reader.when = scenario::ReadWhen::job_start;
  CHECK(estimate_training(setup).parts.reading.value() == Approx(25));
  setup.profile.reader.all_read_all = true;
  CHECK(estimate_training(setup).parts.reading.value() == Approx(100));
  CHECK(estimate_training(setup).from_store.value() == Approx(4e8));
  setup.profile.reader.when = scenario::ReadWhen::epoch_start;
  setup.profile.reader.page_cache = false;
  CHECK(estimate_training(setup).parts.reading.value() == Approx(200));
}

TEST_CASE("learning rate by the linear rule: it goes with the global batch") {
  training::TrainingRequest request;
  request.gpus = 16;
  scenario::Profile const profile = shipped_profile("resnet50-imagenet-kempner");
  CHECK(estimate_training(training::training_setup(profile, catalogue(), request)).learning_rate ==
        Approx(1.6));
}

TEST_CASE("more bandwidth is never slower, and more GPUs never train less in a time") {
  for (auto const& name : scenario::profile_names(shipped_files().profiles)) {
    scenario::Profile const profile = shipped_profile(name);
    training::TrainingSetup setup = training::training_setup(profile, catalogue(), {});
    double before = 1e300;
    for (double factor = 0.01; factor < 1000; factor *= 4) {
      training::TrainingSetup faster = setup;
      faster.storage.stream_bandwidth =
          BytesPerSecond(setup.storage.stream_bandwidth.value() * factor);
      faster.storage.bandwidth = BytesPerSecond(setup.storage.bandwidth.value() * factor);
      double const now = estimate_training(faster).total.value();
      CHECK(now <= before * (1 + 1e-12));
      before = now;
    }
  }
  double before = 0;
  for (int gpus = 1; gpus <= 128; gpus *= 2) {
    training::TrainingRequest request;
    request.gpus = gpus;
    double const now =
        estimate_training(training::training_setup(shipped_profile("resnet50-imagenet-kempner"),
                                                   catalogue(), request))
            .samples_per_s;
    CHECK(now > before);
    before = now;
  }
}

}  // namespace gridcast::test
