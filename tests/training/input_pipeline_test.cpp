#include "sim/training/input_pipeline.hpp"

#include <limits>

#include "tests/test.hpp"
#include "tests/training/catalogue.hpp"

namespace gridcast::test {

namespace {

scenario::StorageSpec striped() {
  scenario::StorageSpec storage;
  storage.stream_bandwidth = BytesPerSecond(1e6);
  storage.read_latency = Seconds(0.01);
  storage.stripe_size = Bytes(1e6);
  storage.stripes = 4;
  return storage;
}

training::Loader loader(double load, int lanes, int depth) {
  training::Loader made;
  made.alone = made.load = Seconds(load);
  made.lanes = lanes;
  made.depth = depth;
  return made;
}

double total(training::Loader const& full, int steps, double step) {
  return training::steps_time({steps, 0}, full, full, Seconds(step), Seconds(0)).total.value();
}

Seconds waiting(training::Loader const& loader, int steps, double step,
                training::Stall const& stall) {
  return training::stalled_steps({steps, 0}, loader, loader, Seconds(step), Seconds(0), stall)
      .waiting;
}

training::Stall const never{std::numeric_limits<double>::infinity(), 0, Seconds(0)};

}  // namespace

TEST_CASE("a read takes the latency and its bytes; stripes share the bytes") {
  scenario::ReaderSpec reader;
  CHECK(training::read_time(striped(), reader, Bytes(5e5)).value() == Approx(0.01 + 0.5));
  CHECK(training::read_time(striped(), reader, Bytes(1e6)).value() == Approx(0.01 + 1));
  CHECK(training::read_time(striped(), reader, Bytes(2e6)).value() == Approx(0.01 + 1));
  CHECK(training::read_time(striped(), reader, Bytes(4e6)).value() == Approx(0.01 + 1));
  CHECK(training::read_time(striped(), reader, Bytes(8e6)).value() ==
        Approx(0.01 + 2));  // 4 stripes at most
}

TEST_CASE("smaller stripes are never slower") {
  scenario::ReaderSpec reader;
  scenario::StorageSpec storage = striped();
  double before = 1e9;
  for (double size = 8e6; size > 1e4; size /= 2) {
    storage.stripe_size = Bytes(size);
    double const now = training::read_time(storage, reader, Bytes(1e6)).value();
    CHECK(now <= before);
    before = now;
  }
}

TEST_CASE("read-ahead hides the store of sequential reads, not the library") {
  scenario::ReaderSpec reader;
  reader.read_overhead = Seconds(0.1);
  reader.read_ahead = 3;
  CHECK(training::read_time(striped(), reader, Bytes(1e6)).value() == Approx(0.1 + 1.01 / 4));
  reader.sequential = false;
  CHECK(training::read_time(striped(), reader, Bytes(1e6)).value() == Approx(0.1 + 1.01));
}

TEST_CASE("samples are read in whole reads, unless reads run on across samples") {
  training::TrainingSetup setup = plain_setup();
  setup.profile.reader.transfer_size = Bytes(3e5);
  CHECK(training::sample_cost(setup, setup.storage, 0).reads == 4);
  setup.profile.reader.sequential = true;
  CHECK(training::sample_cost(setup, setup.storage, 0).reads == Approx(10. / 3));
  setup.profile.reader.other_size = Bytes(1e5);
  setup.profile.reader.other_share = 0.5;
  CHECK(training::sample_cost(setup, setup.storage, 0).reads == Approx(5));
  setup.profile.reader.read_twice = 0.5;
  CHECK(training::sample_cost(setup, setup.storage, 0).bytes.value() == Approx(1.5e6));
}

TEST_CASE("samples of a file share its opening; a shared file is open already") {
  training::TrainingSetup setup = plain_setup();
  setup.profile.dataset.files = 20;
  setup.storage.open_latency = Seconds(0.4);
  setup.profile.reader.open_overhead = Seconds(0.1);
  CHECK(training::sample_cost(setup, setup.storage, 0).io.value() == Approx(1 + 0.5 / 5));
  setup.profile.reader.shared_file = true;
  CHECK(training::sample_cost(setup, setup.storage, 0).io.value() == Approx(1));
}

TEST_CASE("ranks share the store, ranks of a node share its link, and nodes have local stores") {
  training::TrainingSetup setup = plain_setup();
  setup.gpus = 8;
  setup.nodes = 2;
  CHECK(training::rank_share(setup, setup.storage).value() > 1e300);
  setup.storage.bandwidth = BytesPerSecond(8e6);
  CHECK(training::rank_share(setup, setup.storage) == BytesPerSecond(1e6));
  setup.storage.node_bandwidth = BytesPerSecond(2e6);
  CHECK(training::rank_share(setup, setup.storage) == BytesPerSecond(5e5));
  setup.storage.node_bandwidth = BytesPerSecond(0);
  setup.storage.node_local = true;
  CHECK(training::rank_share(setup, setup.storage) == BytesPerSecond(2e6));
}

TEST_CASE(
    "the page cache: nothing in the first epoch, all or nothing in order, its part at random") {
  training::TrainingSetup setup = plain_setup();  // 100 MB of data, 1 GB of memory
  setup.machine.cache_share = 0.05;               // a cache of 50 MB
  setup.profile.reader.shuffle = scenario::Shuffle::off;
  CHECK(training::cached_share(setup, 1) == 0);
  CHECK(training::cached_share(setup, 2) == 0);
  setup.profile.reader.shuffle = scenario::Shuffle::shard;
  CHECK(training::cached_share(setup, 2) == Approx(0.5));
  setup.machine.cache_share = 0.1;
  setup.profile.reader.shuffle = scenario::Shuffle::off;
  CHECK(training::cached_share(setup, 2) == 1);
  setup.profile.reader.page_cache = false;
  CHECK(training::cached_share(setup, 2) == 0);
}

TEST_CASE("with any sample on any node, a node has seen only a part of the data") {
  training::TrainingSetup setup = plain_setup();
  setup.gpus = setup.nodes = 2;
  setup.machine.cache_share = 1;
  CHECK(training::cached_share(setup, 2) == Approx(0.5));
  CHECK(training::cached_share(setup, 3) == Approx(0.75));
}

TEST_CASE("two stages without prefetching add up") {
  CHECK(total(loader(2, 0, 0), 10, 3) == Approx(50));
}

TEST_CASE("two stages with prefetching take the slower one's time, and the other's once") {
  CHECK(total(loader(2, 1, 1), 10, 3) == Approx(2 + 30));  // compute-bound
  CHECK(total(loader(3, 1, 1), 10, 2) == Approx(30 + 2));  // reader-bound
  CHECK(total(loader(3, 1, 5), 10, 2) == Approx(30 + 2));  // a deeper buffer does not read faster
}

TEST_CASE("several lanes read as many batches at a time") {
  // Batches 0 to 3 are ready at 8 s, 4 to 7 at 16 s, 8 and 9 at 24 s; each takes 1 s.
  CHECK(total(loader(8, 4, 8), 10, 1) == Approx(24 + 2));
  CHECK(total(loader(8, 4, 8), 10, 3) == Approx(8 + 30));
}

TEST_CASE("waiting is the time without computing, and the first step is distinguished") {
  training::StepsTime const time =
      training::steps_time({10, 0}, loader(3, 1, 1), loader(3, 1, 1), Seconds(2), Seconds(0));
  CHECK(time.computing.value() == Approx(20));
  CHECK(time.waiting().value() == Approx(12));
  CHECK(time.first_step.value() == Approx(5));
}

TEST_CASE("a last incomplete batch takes its own time") {
  training::Loader const full = loader(2, 1, 1), last = loader(1, 1, 1);
  training::StepsTime const bound =
      training::steps_time({9, 5}, full, last, Seconds(3), Seconds(1.5));
  CHECK(bound.total.value() == Approx(2 + 27 + 1.5));
  training::StepsTime const starved =
      training::steps_time({9, 5}, full, last, Seconds(1), Seconds(0.5));
  CHECK(starved.total.value() == Approx(18 + 1 + 0.5));  // the last one is ready at 19 s
}

TEST_CASE("more bandwidth, more threads and more prefetching are never slower") {
  training::TrainingSetup setup = plain_setup();
  setup.profile.reader.decode = Seconds(0.1);
  auto const time = [](training::TrainingSetup const& one) {
    training::Loader const full = training::make_loader(one, 10, 0);
    return training::steps_time({10, 0}, full, full, Seconds(1), Seconds(0)).total.value();
  };
  for (int threads = 1; threads < 16; ++threads) {
    training::TrainingSetup more = setup;
    setup.profile.reader.threads = threads;
    more.profile.reader.threads = threads + 1;
    CHECK(time(more) <= time(setup) + 1e-9);
    more = setup;
    for (double bandwidth = 1e5; bandwidth < 1e10; bandwidth *= 4) {
      more.storage.bandwidth = BytesPerSecond(bandwidth);
      double const slower = time(more);
      more.storage.bandwidth = BytesPerSecond(2 * bandwidth);
      CHECK(time(more) <= slower + 1e-9);
    }
    more = setup;
    for (int depth = 0; depth < 6; ++depth) {
      more.profile.reader.prefetch = depth;
      double const shallow = time(more);
      more.profile.reader.prefetch = depth + 1;
      CHECK(time(more) <= shallow + 1e-9);
    }
  }
}

TEST_CASE("lanes that want more than the rank's share of the store are slowed down to it") {
  training::TrainingSetup setup = plain_setup();
  setup.profile.reader.threads = 4;  // alone 10 s a batch each: 4 MB/s
  CHECK(training::make_loader(setup, 10, 0).load.value() == Approx(10));
  setup.storage.bandwidth = BytesPerSecond(2e6);
  CHECK(training::make_loader(setup, 10, 0).load.value() == Approx(20));
  setup.gpus = 2;
  CHECK(training::make_loader(setup, 10, 0).load.value() == Approx(40));
}

TEST_CASE("threads that share a batch are one lane, as many times faster") {
  training::TrainingSetup setup = plain_setup();
  setup.profile.reader.by = scenario::ReadBy::sample;
  setup.profile.reader.threads = 5;
  training::Loader const made = training::make_loader(setup, 10, 0);
  CHECK(made.lanes == 1);
  CHECK(made.load.value() == Approx(2));
}

TEST_CASE("staging takes the slowest of the readers, the store and the node's own disk") {
  training::TrainingSetup setup = plain_setup();
  CHECK(staging_time(setup) == Seconds(0));
  setup.source = setup.storage;
  setup.storage.write_bandwidth = BytesPerSecond(1e9);
  CHECK(staging_time(setup).value() == Approx(100));  // 100 MB by one reader of 1 MB/s
  setup.profile.reader.threads = 10;
  CHECK(staging_time(setup).value() == Approx(10));
  setup.source->bandwidth = BytesPerSecond(5e6);
  CHECK(staging_time(setup).value() == Approx(20));
  setup.storage.write_bandwidth = BytesPerSecond(2e6);
  CHECK(staging_time(setup).value() == Approx(50));
}

TEST_CASE("a node copies only its own shards of fixed data") {
  training::TrainingSetup setup = plain_setup();
  setup.source = setup.storage;
  setup.gpus = setup.nodes = 4;
  double const all = staging_time(setup).value();
  setup.profile.reader.shuffle = scenario::Shuffle::shard;
  CHECK(staging_time(setup).value() == Approx(all / 4));
}

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

TEST_CASE("the last round of lanes has the rest, and shares the store among fewer") {
  training::Loader shared = loader(1, 4, 4);
  shared.shared = Seconds(1);
  CHECK(training::load_of_batch(shared, {6, 0}, 0) == Seconds(4));
  CHECK(training::load_of_batch(shared, {6, 0}, 3) == Seconds(4));
  CHECK(training::load_of_batch(shared, {6, 0}, 4) == Seconds(2));
  CHECK(training::load_of_batch(shared, {2, 0}, 0) == Seconds(2));
}

}  // namespace gridcast::test
