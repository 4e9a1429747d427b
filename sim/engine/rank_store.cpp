#include "sim/engine/rank_store.hpp"

#include <algorithm>

namespace gridcast::engine {

namespace {

/// The tighter of two limits, of which zero is none.
BytesPerSecond tighter(BytesPerSecond a, BytesPerSecond b) {
  if (a == BytesPerSecond() || b == BytesPerSecond()) return std::max(a, b);
  return std::min(a, b);
}

bool can_fill(BytesPerSecond link, BytesPerSecond wanted) {
  return link > BytesPerSecond() && wanted > link;
}

}  // namespace

RankStore::RankStore(Clock& clock, training::TrainingSetup const& setup, BytesPerSecond reader,
                     int readers)
    : clock_(clock) {
  scenario::StorageSpec const& store = setup.storage;
  bool const local = store.node_local;
  BytesPerSecond const node =
      local ? tighter(store.bandwidth, store.node_bandwidth) : store.node_bandwidth;
  of_nodes_ = can_fill(node, reader * (readers * setup.gpus_per_node()));
  of_store_ = !local && can_fill(store.bandwidth, reader * (readers * setup.gpus));
  if (!of_nodes_ && !of_store_) return;

  std::vector<LinkSpec> links;
  std::vector<Route> routes;
  if (of_store_) links.push_back({store.bandwidth, store.bandwidth});
  for (int i = 0; i < setup.nodes; ++i) {
    if (of_nodes_) links.push_back({node, node});
    routes.push_back(route(i));
  }
  network_ = std::make_unique<Network>(clock, links, routes, of_nodes_ && of_store_);
}

Route RankStore::route(int node) const {
  auto const own = static_cast<std::size_t>(node);
  if (!of_nodes_) return {Id<Link>(0), {}};
  if (!of_store_) return {Id<Link>(own), {}};
  return {Id<Link>(0), Id<Link>(1 + own)};
}

Step<bool> RankStore::move(int node, Bytes bytes, Seconds alone) {
  Seconds const least = clock_.now() + alone;
  bool const flows = network_ && bytes > Bytes() && alone > Seconds();
  if (flows && network_->limits_flows()) {
    co_await network_->transfer(route(node), bytes, nullptr, bytes / alone);
  } else if (flows) {
    co_await network_->transfer(route(node), bytes);
  }
  // Alone, it takes as long as it says.
  if (clock_.now() < least) co_await clock_.sleep_until(least);
  co_return true;
}

}  // namespace gridcast::engine
