#include <algorithm>
#include <cmath>

#include "sim/training/step_time.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

using scenario::Collective;
using training::Ranks;

double time(Collective algorithm, Ranks ranks, double bytes = 0) {
  scenario::MachineSpec machine;
  machine.intra_latency = Seconds(1e-6);
  machine.intra_bandwidth = BytesPerSecond(200e9);
  machine.inter_latency = Seconds(1e-5);
  machine.inter_bandwidth = BytesPerSecond(20e9);
  return training::all_reduce(algorithm, ranks, Bytes(bytes), machine).value();
}

}  // namespace

TEST_CASE("one rank has nobody to add up with") {
  for (auto const algorithm : {Collective::automatic, Collective::ring, Collective::tree}) {
    CHECK(time(algorithm, {1, 1}, 1e9) == 0);
  }
}

TEST_CASE("a ring crosses each link 2 (n - 1) times with a part of the bytes") {
  CHECK(time(Collective::ring, {2, 1}, 200e9) == Approx(2e-6 + 1));
  CHECK(time(Collective::ring, {4, 1}, 200e9) == Approx(6e-6 + 1.5));
  // Two of 14 hops of 8 ranks on two nodes are between them; the slower link sets the pace.
  CHECK(time(Collective::ring, {8, 2}) == Approx(12e-6 + 2e-5));
  CHECK(time(Collective::ring, {8, 2}, 20e9) == Approx(12e-6 + 2e-5 + 1.75));
  // One rank a node never uses the links in it.
  CHECK(time(Collective::ring, {4, 4}, 20e9) == Approx(6e-5 + 1.5));
}

TEST_CASE("a tree's latency grows with the levels, a ring's with the nodes") {
  CHECK(time(Collective::tree, {8, 2}) == Approx(2 * (3e-6 + 1e-5)));
  CHECK(time(Collective::tree, {4096, 512}) == Approx(2 * (7e-6 + 9e-5)));
  CHECK(time(Collective::ring, {4096, 512}) > 80 * time(Collective::tree, {4096, 512}));
  CHECK(time(Collective::tree, {8, 2}, 0.92 * 20e9) == Approx(2 * (3e-6 + 1e-5) + 2));
}

TEST_CASE("NCCL's choice: trees for few bytes on many nodes, rings for many bytes") {
  CHECK(time(Collective::automatic, {512, 64}, 1e3) == time(Collective::tree, {512, 64}, 1e3));
  CHECK(time(Collective::automatic, {8, 2}, 1e9) == time(Collective::ring, {8, 2}, 1e9));
  for (double const bytes : {1e3, 1e6, 1e9}) {
    for (int const nodes : {1, 2, 8, 64, 512}) {
      Ranks const ranks{8 * nodes, nodes};
      double const automatic = time(Collective::automatic, ranks, bytes);
      CHECK(automatic ==
            std::min(time(Collective::ring, ranks, bytes), time(Collective::tree, ranks, bytes)));
    }
  }
}

}  // namespace gridcast::test
