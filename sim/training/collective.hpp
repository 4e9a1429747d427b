// Seconds of an all-reduce of S bytes over n ranks on N nodes, g = n/N a node, by algorithm. a and B
// are a hop's latency and the bus bandwidth (as nccl-tests defines it), inside a node and between
// nodes:
//   ring          2 (n - N) a_in + 2 (N - 1) a_out, and 2 (n - 1)/n S/B over its slowest link
//                 (one node: 2 (n - 1) a_in)
//   tree          2 ((g - 1) a_in + log2(N) a_out), and 2 S/(0.92 B) over its slowest link
//   hierarchical  in the node a reduce-scatter and an all-gather, 2 (g - 1) a_in + 2 (g - 1)/g S/B_in;
//                 between nodes a tree, 2 log2(N) a_out + 2 S/(0.92 B_out)
//   in-network    the same in the node; switches add up, so that the bytes go up and come down once:
//                 a_out + S/B_out
// `automatic` takes the faster of ring and tree, as NCCL does: it adds latency and bytes over bandwidth
// for each and takes the least. Sources: NCCL 2.30, src/graph/tuning.cc (ncclTopoTuneModel: numbers of
// steps, 0.92 for trees); NVIDIA/nccl-tests, doc/PERFORMANCE.md (bus bandwidth); Graham et al. 2016
// (SHARP, in-network). In-network reduction needs switches that can, so it has to be asked for.
//
// Left out: protocols (LL, LL128), numbers of channels, a call's own latency (part of a step's
// overhead), ranks that are unevenly spread.
#pragma once

#include "sim/base/units.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/profile.hpp"

namespace gridcast::training {

struct Link {
  Seconds latency;
  BytesPerSecond bandwidth;
};

/// What lies between ranks of a machine.
struct Fabric {
  Link inside;   // a node
  Link between;  // nodes
};
Fabric fabric_of(scenario::MachineSpec const& machine);

struct Ranks {
  int gpus = 1;
  int nodes = 1;
  double on_node() const { return static_cast<double>(gpus) / nodes; }
};

/// 0 for one rank.
Seconds all_reduce(scenario::Collective algorithm, Ranks ranks, Bytes size, Fabric const& fabric);

/// What `automatic` means for so many bytes.
scenario::Collective chosen_collective(Ranks ranks, Bytes size, Fabric const& fabric);

}  // namespace gridcast::training
