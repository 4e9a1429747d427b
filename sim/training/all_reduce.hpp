// The exchange of gradients: a ring all-reduce, in buckets, while the backward pass goes on.
//
//   t(n, S) = 2 (n - 1) alpha + 2 (n - 1)/n S/B
// S/n bytes cross each link 2 (n - 1) times; B is the bus bandwidth as nccl-tests defines it
// (NVIDIA/nccl-tests, doc/PERFORMANCE.md), alpha one hop's latency. One ring runs through all
// ranks, so its slowest link sets the pace: that between nodes where there is more than one.
//
// Gradients are sent in buckets, the first of 1 MiB, the others of 25 MiB (PyTorch DDP, Li et al.,
// VLDB 2020). A bucket is ready when the backward pass has come to it, and is sent when the one
// before has been. What sticks out behind the backward pass is what a step pays.
//
// Left out: trees and in-network reduction (they matter for small messages on many nodes),
// compression, sharded optimisers.
#pragma once

#include <vector>

#include "sim/base/units.hpp"
#include "sim/scenario/profile.hpp"
#include "sim/scenario/profile_hardware.hpp"

namespace gridcast::training {

struct Link {
  Seconds latency;
  BytesPerSecond bandwidth;
};

/// The slowest link of a ring over that many nodes of the machine.
Link ring_link(scenario::MachineSpec const& machine, int nodes);

/// 0 for one rank.
Seconds ring_all_reduce(int ranks, Bytes size, Link link);

/// Sizes of the buckets, in the order in which the backward pass fills them.
std::vector<Bytes> gradient_buckets(scenario::ExchangeSpec const& exchange);

/// When bucket k of those sizes is ready, counted from the start of the backward pass: with
/// overlap 1 in proportion to the bytes, with 0 all at its end.
std::vector<Seconds> bucket_ready(std::vector<Bytes> const& buckets, Seconds backward,
                                  double overlap);

/// What the exchange adds to a step beyond the backward pass.
Seconds exposed_exchange(scenario::ExchangeSpec const& exchange, int ranks, Link link,
                         Seconds backward);

}  // namespace gridcast::training
