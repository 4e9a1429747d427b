// Ranks that share a store, against closed forms.
#include "sim/engine/replica.hpp"
#include "sim/training/estimate.hpp"
#include "tests/test.hpp"
#include "tests/training/catalogue.hpp"

namespace gridcast::test {

namespace {

constexpr double allowed = 0.001;

training::SimulatedTraining ranks_of(training::TrainingSetup const& setup) {
  return engine::simulate_ranks(setup, RandomStreams(1, 0).stream(Purpose::test, 0));
}

double apart(training::TrainingSetup const& setup) {
  return std::abs(ranks_of(setup).total / training::estimate_training(setup).total - 1);
}

/// 4 ranks on one node or more, 2 readers each, 100 steps of 1 s with 10 MB a batch and rank.
training::TrainingSetup four_ranks(double bandwidth) {
  training::TrainingSetup setup = plain_setup();
  setup.gpus = 4;
  setup.samples = 4000;
  setup.profile.dataset.samples = 4000;
  setup.profile.dataset.files = 1;
  setup.profile.reader.threads = 2;
  setup.profile.reader.page_cache = false;
  setup.storage.name = "store";
  setup.storage.stream_bandwidth = BytesPerSecond(8e6);
  setup.storage.bandwidth = BytesPerSecond(bandwidth);
  return setup;
}

}  // namespace

TEST_CASE("ranks of a store that is fast enough only wait for their first batch") {
  // A batch takes a reader 1.25 s, and two readers have one each 0.625 s.
  CHECK(ranks_of(four_ranks(0)).total.value() == Approx(1.25 + 100));
  // Links that 8 readers cannot fill are none; with 50 MB/s the first batches take 1.6 s.
  CHECK(ranks_of(four_ranks(64e6)).total.value() == Approx(1.25 + 100));
  CHECK(ranks_of(four_ranks(50e6)).total.value() == Approx(1.6 + 100));
}

TEST_CASE("ranks of a store that is too slow share it") {
  // 100 batches of 10 MB on each of 4 ranks.
  training::SimulatedTraining const shared = ranks_of(four_ranks(20e6));
  CHECK(shared.total.value() == Approx(4000 / 20. + 1).epsilon(0.01));
  CHECK(shared.waiting.value() == Approx(101).epsilon(0.02));
}

TEST_CASE("each node's own disk is shared by its ranks only") {
  training::TrainingSetup setup = four_ranks(20e6);
  setup.storage.node_local = true;
  setup.nodes = 2;
  CHECK(ranks_of(setup).total.value() == Approx(2000 / 20. + 1).epsilon(0.01));
  setup.nodes = 1;
  CHECK(ranks_of(setup).total.value() == Approx(4000 / 20. + 1).epsilon(0.01));
}

TEST_CASE("more bandwidth never makes ranks slower") {
  Seconds before(1e9);
  for (double bandwidth = 5e6; bandwidth < 1e9; bandwidth *= 1.5) {
    Seconds const total = ranks_of(four_ranks(bandwidth)).total;
    CHECK(total <= before + Seconds(1e-3));
    before = total;
  }
}

// Two readers of 8 MB/s each: alone a rank reads its 1000 samples of 1 MB at 16 MB/s, with three
// others a quarter of what the store gives.
TEST_CASE("ranks that read all their data at the start share the store too") {
  training::TrainingSetup setup = four_ranks(40e6);
  setup.profile.reader.when = scenario::ReadWhen::job_start;
  double const megabytes = setup.profile.reader.all_read_all ? 4000 : 1000;
  CHECK(ranks_of(setup).total.value() == Approx(megabytes / 10 + 100).epsilon(0.02));
  CHECK(apart(setup) < allowed);
}

TEST_CASE("checkpoints of all ranks share the store with the readers") {
  training::TrainingSetup setup = four_ranks(40e6);
  setup.save_to = setup.storage;
  setup.profile.checkpoint.size = Bytes(100e6);
  setup.profile.checkpoint.all_ranks = true;
  setup.profile.checkpoint.every_steps = 50;
  setup.save_to.write_bandwidth = BytesPerSecond(1e9);
  // 400 MB at 40 MB/s, while the readers fill what is free of their buffers and then stand still.
  training::SimulatedTraining const waited = ranks_of(setup);
  CHECK(waited.saves == 2);
  double const without = ranks_of(four_ranks(40e6)).total.value();
  CHECK(waited.total.value() > without + 2 * 10 - 1);
  CHECK(waited.total.value() < without + 2 * (10 + 8 * 10 / 40.) + 1);
}

TEST_CASE("ranks agree with the closed form, for every profile on fast and slow stores") {
  for (std::string const& name : scenario::profile_names(shipped_files().profiles)) {
    scenario::Profile const profile = shipped_profile(name);
    for (std::string const storage : {"", "slow-store", "nvme"}) {
      training::TrainingRequest request;
      request.storage = storage;
      request.epochs = std::min(2, profile.train.epochs);
      training::TrainingSetup const setup = training::training_setup(profile, catalogue(), request);
      double const steps = training::epoch_plan(setup).steps();
      // Two links on a reader's way are SimGrid's flows: tests/model/rank_store_test.
      bool const two_links = setup.storage.bandwidth > BytesPerSecond() &&
                             setup.storage.node_bandwidth > BytesPerSecond();
      if (two_links || steps * setup.gpus > 3e4) continue;
      INFO(name << " on " << setup.storage.name << ", " << steps << " steps");
      CHECK(apart(setup) < allowed);
    }
  }
}

TEST_CASE("ranks agree with the closed form where there are many, near or far from starving") {
  for (double const bandwidth : {5e6, 39e6, 41e6, 60e6, 200e6}) {
    training::TrainingSetup setup = four_ranks(bandwidth);
    setup.samples = setup.profile.dataset.samples = 40 * 1500;
    INFO("bandwidth " << bandwidth);
    CHECK(apart(setup) < allowed);
  }
}

}  // namespace gridcast::test
