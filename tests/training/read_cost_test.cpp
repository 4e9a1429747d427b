#include "sim/training/read_cost.hpp"

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

TEST_CASE("ranks share the store, those of a node its link, and local stores are each node's own") {
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

}  // namespace gridcast::test
