#include "tests/training/step_by_step.hpp"

#include <cmath>

#include "sim/training/estimate.hpp"
#include "tests/test.hpp"
#include "tests/training/catalogue.hpp"

namespace gridcast::test {

namespace {

training::SimulatedTraining steps_of(training::TrainingSetup const& setup) {
  return training::simulate_steps(setup, RandomStreams(1, 0).stream(Purpose::execution, 0));
}

/// Closed form / step by step - 1.
double apart(training::TrainingSetup const& setup) {
  return std::abs(estimate_training(setup).total / steps_of(setup).total - 1);
}

constexpr double allowed = 0.001;

}  // namespace

TEST_CASE("step by step and closed form agree for every shipped profile, fast store and slow") {
  for (auto const& name : scenario::profile_names(shipped_files().profiles)) {
    if (name == "dlio-cosmoflow") continue;  // 2.6 million steps: below
    scenario::Profile const profile = shipped_profile(name);
    for (char const* storage : {"", "nvme", "hard-disk", "slow-store"}) {
      training::TrainingRequest request;
      request.storage = storage;
      if (profile.dataset.samples > 1e6) request.epochs = 1;
      INFO(name << " on " << storage);
      CHECK(apart(training::training_setup(profile, catalogue(), request)) < allowed);
    }
  }
}

TEST_CASE("a very long epoch too", "[slow]") {
  training::TrainingRequest request;
  request.epochs = 1;
  for (char const* storage : {"fast-store", "slow-store"}) {
    request.storage = storage;
    CHECK(apart(training::training_setup(shipped_profile("dlio-cosmoflow"), catalogue(), request)) <
          allowed);
  }
}

TEST_CASE("on many GPUs, strong and weak") {
  for (bool const weak : {false, true}) {
    training::TrainingRequest request;
    request.gpus = 32;
    request.epochs = 3;
    request.weak = weak;
    CHECK(apart(training::training_setup(shipped_profile("resnet50-imagenet-kempner"), catalogue(),
                                         request)) < allowed);
  }
}

TEST_CASE("the steps follow slowest ranks that are drawn") {
  scenario::Profile profile = shipped_profile("resnet50-imagenet-kempner");
  profile.compute.spread = 0.02;
  training::TrainingRequest request;
  request.gpus = 8;
  request.epochs = 4;
  CHECK(apart(training::training_setup(profile, catalogue(), request)) < allowed);
}

TEST_CASE("with checkpoints by steps, epochs and seconds, waited for and overlapped") {
  for (auto const mode : {scenario::SaveMode::wait, scenario::SaveMode::overlap}) {
    for (int kind = 0; kind < 3; ++kind) {
      scenario::Profile profile = shipped_profile("resnet50-imagenet-osg");
      profile.checkpoint.size = Bytes(2e9);
      profile.checkpoint.destination = "slot-disk";
      profile.checkpoint.mode = mode;
      if (kind == 0) profile.checkpoint.every_steps = 300;
      if (kind == 1) profile.checkpoint.every_epochs = 1;
      if (kind == 2) profile.checkpoint.every = Seconds(200);
      training::TrainingRequest request;
      request.epochs = 2;
      training::TrainingSetup const setup = training::training_setup(profile, catalogue(), request);
      INFO("kind " << kind);
      CHECK(apart(setup) < allowed);
      CHECK(estimate_training(setup).saves == steps_of(setup).saves);
    }
  }
}

TEST_CASE("readers go on during checkpoints between steps, starving or not") {
  for (auto const mode : {scenario::SaveMode::wait, scenario::SaveMode::overlap}) {
    for (int const every : {1, 7, 50}) {
      for (double const read : {0.5, 1.05, 4.0}) {
        for (double const save : {0.3, 3.0, 60.0}) {
          training::TrainingSetup setup = plain_setup();
          setup.samples = setup.profile.dataset.samples = setup.profile.dataset.files = 5005;
          setup.profile.train.epochs = 3;
          setup.profile.reader.threads = 1;
          setup.profile.reader.prefetch = 4;
          setup.profile.reader.page_cache = false;
          setup.storage.stream_bandwidth = BytesPerSecond(1e7 / read);
          setup.profile.checkpoint.mode = mode;
          setup.profile.checkpoint.every_steps = every;
          setup.profile.checkpoint.size = Bytes(save * 1e6);
          INFO("every " << every << ", " << read << " s a batch, " << save << " s to save");
          CHECK(apart(setup) < (mode == scenario::SaveMode::wait ? 1e-9 : 0.02));
          CHECK(estimate_training(setup).saves == steps_of(setup).saves);
        }
      }
    }
  }
}

TEST_CASE("checkpoints by time come when bursts of starving readers let them") {
  for (int const threads : {1, 4}) {
    for (double const read : {0.5, 4.0, 20.0}) {
      for (double const every : {3.0, 30.0, 47.0}) {
        training::TrainingSetup setup = plain_setup();
        setup.samples = setup.profile.dataset.samples = setup.profile.dataset.files = 5005;
        setup.profile.train.epochs = 3;
        setup.profile.reader.threads = threads;
        setup.profile.reader.page_cache = false;
        setup.storage.stream_bandwidth = BytesPerSecond(1e7 / read);
        setup.profile.checkpoint.every = Seconds(every);
        setup.profile.checkpoint.size = Bytes(2e6);
        INFO(threads << " threads, " << read << " s a batch, every " << every << " s");
        CHECK(estimate_training(setup).saves == steps_of(setup).saves);
        CHECK(apart(setup) < 1e-9);
      }
    }
  }
}

TEST_CASE("every combination of threads, prefetching and loader, hand-sized") {
  for (auto const by : {scenario::ReadBy::batch, scenario::ReadBy::sample}) {
    for (int const threads : {1, 2, 3, 7}) {
      for (int const prefetch : {0, 1, 2, 5}) {
        for (double const read : {0.01, 0.2, 1.0, 4.0}) {
          training::TrainingSetup setup = plain_setup();
          setup.samples = 5005;
          setup.profile.dataset.samples = setup.profile.dataset.files = 5005;
          setup.profile.reader.by = by;
          setup.profile.reader.threads = threads;
          setup.profile.reader.prefetch = prefetch;
          setup.storage.stream_bandwidth = BytesPerSecond(1e7 / read);
          INFO(threads << " threads, prefetch " << prefetch << ", " << read << " s a batch");
          CHECK(apart(setup) < 1e-9);
        }
      }
    }
  }
}

TEST_CASE("short epochs of ranks that share a store agree, with any rest in the last round") {
  for (int const gpus : {1, 2, 4, 8}) {
    for (int const threads : {1, 3, 4}) {
      for (int steps = 1; steps < 14; ++steps) {
        for (double const bandwidth : {3e6, 20e6, 41e6, 1e9}) {
          training::TrainingSetup setup = plain_setup();
          setup.gpus = gpus;
          setup.nodes = (gpus + 3) / 4;
          setup.profile.train.epochs = 2;
          setup.profile.reader.page_cache = false;
          setup.profile.reader.threads = threads;
          setup.samples = setup.profile.dataset.samples = 10. * gpus * steps;
          setup.profile.dataset.files = setup.samples;
          setup.storage.stream_bandwidth = BytesPerSecond(10e6);
          setup.storage.bandwidth = BytesPerSecond(bandwidth);
          INFO(gpus << " GPUs, " << threads << " threads, " << steps << " steps, " << bandwidth);
          CHECK(apart(setup) < allowed);
        }
      }
    }
  }
}

TEST_CASE("the same seed gives the same steps") {
  training::TrainingSetup setup = plain_setup();
  setup.profile.compute.spread = 0.1;
  CHECK(steps_of(setup).total == steps_of(setup).total);
}

TEST_CASE("utilisation by DLIO's definition") {
  training::TrainingSetup const setup =
      plain_setup();  // batches at 10, 20, ... 100 s, each computes for 1 s
  training::SimulatedTraining const steps = steps_of(setup);
  REQUIRE(steps.epochs.size() == 1);
  CHECK(steps.epochs[0].total.value() == Approx(101));
  CHECK(steps.au == Approx(9. / (101 - 11)));
}

}  // namespace gridcast::test
