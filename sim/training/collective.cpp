#include "sim/training/collective.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/error.hpp"

namespace gridcast::training {
namespace {

using scenario::Collective;

constexpr double tree_efficiency = 0.92;  // of the bus bandwidth, NCCL's tuning.cc

BytesPerSecond slowest(Ranks ranks, Fabric const& fabric) {
  if (ranks.nodes <= 1) return fabric.inside.bandwidth;
  if (ranks.nodes == ranks.gpus) return fabric.between.bandwidth;
  return std::min(fabric.inside.bandwidth, fabric.between.bandwidth);
}

Seconds ring(Ranks ranks, Bytes size, Fabric const& fabric) {
  double const hops = 2. * (ranks.gpus - 1);
  double const between = 2. * (ranks.nodes - 1);
  return (hops - between) * fabric.inside.latency + between * fabric.between.latency +
         (hops / ranks.gpus) * (size / slowest(ranks, fabric));
}

Seconds levels(int nodes, Link link) { return 2 * std::log2(nodes) * link.latency; }

Seconds tree(Ranks ranks, Bytes size, Fabric const& fabric) {
  return 2 * (ranks.on_node() - 1) * fabric.inside.latency + levels(ranks.nodes, fabric.between) +
         2 / tree_efficiency * (size / slowest(ranks, fabric));
}

/// A reduce-scatter and an all-gather.
Seconds in_node(Ranks ranks, Bytes size, Link link) {
  double const others = ranks.on_node() - 1;
  return 2 * others * link.latency + (2 * others / ranks.on_node()) * (size / link.bandwidth);
}

}  // namespace

Fabric fabric_of(scenario::MachineSpec const& machine) {
  return {{machine.intra_latency, machine.intra_bandwidth},
          {machine.inter_latency, machine.inter_bandwidth}};
}

scenario::Collective chosen_collective(Ranks ranks, Bytes size, Fabric const& fabric) {
  return tree(ranks, size, fabric) < ring(ranks, size, fabric) ? Collective::tree
                                                               : Collective::ring;
}

Seconds all_reduce(Collective algorithm, Ranks ranks, Bytes size, Fabric const& fabric) {
  if (ranks.gpus <= 1) return Seconds();
  switch (algorithm) {
    case Collective::automatic:
      return std::min(ring(ranks, size, fabric), tree(ranks, size, fabric));
    case Collective::ring:
      return ring(ranks, size, fabric);
    case Collective::tree:
      return tree(ranks, size, fabric);
    case Collective::hierarchical:
      return in_node(ranks, size, fabric.inside) +
             (ranks.nodes > 1 ? levels(ranks.nodes, fabric.between) +
                                    2 / tree_efficiency * (size / fabric.between.bandwidth)
                              : Seconds());
    case Collective::in_network:
      return in_node(ranks, size, fabric.inside) +
             (ranks.nodes > 1 ? fabric.between.latency + size / fabric.between.bandwidth
                              : Seconds());
  }
  check(false, "every algorithm of an all-reduce has a time");
  return {};
}

}  // namespace gridcast::training
