// Ranks whose readers cross two shared links, their node's and the store's: SimGrid's max-min flows
// against the closed form.
#include <utility>

#include "sim/engine/replica.hpp"
#include "sim/training/estimate.hpp"
#include "tests/model/closed_form.hpp"
#include "tests/training/catalogue.hpp"

namespace gridcast::test {

namespace {

/// 8 ranks on 2 nodes, 2 readers each of 8 MB/s, 300 steps of 1 s with 10 MB a batch and rank.
training::TrainingSetup eight_ranks(double store, double node) {
  training::TrainingSetup setup = plain_setup();
  setup.gpus = 8;
  setup.nodes = 2;
  setup.samples = setup.profile.dataset.samples = 8 * 3000;
  setup.profile.dataset.files = 1;
  setup.profile.reader.threads = 2;
  setup.profile.reader.page_cache = false;
  setup.storage.stream_bandwidth = BytesPerSecond(8e6);
  setup.storage.bandwidth = BytesPerSecond(store);
  setup.storage.node_bandwidth = BytesPerSecond(node);
  return setup;
}

double total_of(training::TrainingSetup const& setup) {
  return in_child([&setup] {
    RandomStream const stream = RandomStreams(1, 0).stream(Purpose::test, 0);
    return std::vector{engine::simulate_ranks(setup, stream).total.value()};
  })[0];
}

}  // namespace

TEST_CASE("the tighter of the node's link and the store's sets the pace of starving ranks") {
  for (auto const& [store, node] : {std::pair{60e6, 40e6}, std::pair{100e6, 20e6}}) {
    training::TrainingSetup const setup = eight_ranks(store, node);
    double const rank_rate = std::min(store / 8, node / 4);
    INFO("store " << store << ", node " << node);
    CHECK(total_of(setup) == Approx(3000e6 / rank_rate).epsilon(0.01));
    CHECK(total_of(setup) ==
          Approx(training::estimate_training(setup).total.value()).epsilon(0.005));
  }
}

}  // namespace gridcast::test
