// The store that the ranks of a training job read from and save to, as links that they share: one
// of the store (a parallel file system, a cache, a WAN), one of each node, or each node's own disk.
// What a reader reaches alone (latency, stripes, decoding; sim/training/read_cost) limits its flow;
// what all reach together, the links do. A link that all readers together cannot fill is left out.
// Where two are left on a reader's way, SimGrid's max-min flows share them, else virtual clocks.
#pragma once

#include <memory>

#include "sim/engine/network.hpp"
#include "sim/training/setup.hpp"

namespace gridcast::engine {

class RankStore {
 public:
  /// `reader`: the fastest that one reader is, of so many on a rank.
  RankStore(Clock& clock, training::TrainingSetup const& setup, BytesPerSecond reader, int readers);

  /// A rank of the node moves so many bytes, which take `alone` if nobody else is there.
  Step<bool> move(int node, Bytes bytes, Seconds alone);

  bool shared() const { return network_ != nullptr; }

 private:
  Route route(int node) const;

  Clock& clock_;
  bool of_store_ = false, of_nodes_ = false;
  std::unique_ptr<Network> network_;  // null: nothing is shared
};

}  // namespace gridcast::engine
