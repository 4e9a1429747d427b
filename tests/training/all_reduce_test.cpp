#include "sim/training/all_reduce.hpp"

#include "tests/test.hpp"

namespace gridcast::test {

namespace {

training::Link const link{Seconds(0.001), BytesPerSecond(1e9)};

}  // namespace

TEST_CASE("a ring all-reduce crosses each link 2 (n - 1) times with a part of the bytes") {
  CHECK(training::ring_all_reduce(1, Bytes(1e9), link) == Seconds(0));
  CHECK(training::ring_all_reduce(2, Bytes(1e9), link).value() == Approx(2 * 0.001 + 1));
  CHECK(training::ring_all_reduce(4, Bytes(1e9), link).value() == Approx(6 * 0.001 + 1.5));
  CHECK(training::ring_all_reduce(1000, Bytes(1e9), link).value() == Approx(1998 * 0.001 + 1.998));
}

TEST_CASE("the slowest link of the ring sets its pace") {
  scenario::MachineSpec machine;
  machine.intra_latency = Seconds(1e-6);
  machine.inter_latency = Seconds(5e-6);
  machine.intra_bandwidth = BytesPerSecond(200e9);
  machine.inter_bandwidth = BytesPerSecond(20e9);
  CHECK(training::ring_link(machine, 1).bandwidth == BytesPerSecond(200e9));
  CHECK(training::ring_link(machine, 2).bandwidth == BytesPerSecond(20e9));
  CHECK(training::ring_link(machine, 2).latency == Seconds(5e-6));
}

TEST_CASE("buckets: one of 1 MiB, then 25 MiB, then what is left") {
  scenario::ExchangeSpec exchange;
  exchange.gradient = Bytes(60 * 1048576.);
  auto const buckets = training::gradient_buckets(exchange);
  REQUIRE(buckets.size() == 4);
  CHECK(buckets[0] == Bytes(1048576));
  CHECK(buckets[1] == Bytes(25 * 1048576.));
  CHECK(buckets[3] == Bytes(9 * 1048576.));
  Bytes sum;
  for (Bytes const bucket : buckets) sum += bucket;
  CHECK(sum == exchange.gradient);
}

TEST_CASE("without overlap the whole exchange comes after the backward pass") {
  scenario::ExchangeSpec exchange{Bytes(100e6), Bytes(25e6), Bytes(25e6), 0};
  training::Link const fast{Seconds(0), BytesPerSecond(1e9)};
  CHECK(training::exposed_exchange(exchange, 2, fast, Seconds(10)).value() == Approx(0.1));
  CHECK(training::exposed_exchange(exchange, 1, fast, Seconds(10)) == Seconds(0));
}

TEST_CASE("with overlap only the last bucket sticks out, or what the network cannot keep up with") {
  scenario::ExchangeSpec const exchange{Bytes(100e6), Bytes(25e6), Bytes(25e6), 1};
  training::Link const fast{Seconds(0), BytesPerSecond(1e9)};
  CHECK(training::exposed_exchange(exchange, 2, fast, Seconds(10)).value() == Approx(0.025));
  // 4 buckets of 1 s each, the first ready after a quarter of the second's backward pass.
  training::Link const slow{Seconds(0), BytesPerSecond(25e6)};
  CHECK(training::exposed_exchange(exchange, 2, slow, Seconds(1)).value() == Approx(0.25 + 4 - 1));
}

TEST_CASE("more bandwidth, less latency and more overlap are never slower") {
  scenario::ExchangeSpec exchange;
  exchange.gradient = Bytes(100e6);
  double before = 1e9;
  for (double bandwidth = 1e8; bandwidth < 1e12; bandwidth *= 3) {
    double const now = training::exposed_exchange(
                           exchange, 8, {Seconds(1e-5), BytesPerSecond(bandwidth)}, Seconds(0.1))
                           .value();
    CHECK(now <= before);
    before = now;
  }
  before = 1e9;
  for (double overlap = 0; overlap <= 1; overlap += 0.125) {
    exchange.overlap = overlap;
    double const now = training::exposed_exchange(exchange, 8, link, Seconds(0.1)).value();
    CHECK(now <= before);
    before = now;
  }
}

}  // namespace gridcast::test
