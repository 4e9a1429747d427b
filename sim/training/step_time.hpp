// One step of synchronous data-parallel training, in seconds, without waiting for data:
//   step = (forward + backward) x straggler(n, N) + exchange beyond the backward pass + optimizer
//   forward + backward = overhead + batch x per sample x (GPU measured / GPU requested)
// The time per sample is the measured step's, less the overhead, over its batch. The overhead is
// the host's (launching kernels, the framework): a faster GPU does not shorten it. MLPerf's
// ResNet-50 shows 4 to 5 ms of it on A100s and H100s alike (docs/sources.md).
//
// A synchronous step is as slow as its slowest rank. If ranks' compute times are normal with
// relative spread s, then n of them take
//   straggler(n, N) = max(slowest, 1 + s E[max of n standard normals]) + d log2 n + c (N > 1)
// E[max] is about sqrt(2 ln n) (David & Nagaraja, Order Statistics, 4.5), exactly the integral over
// x > 0 of 1 - Phi(x)^n - Phi(-x)^n. `slowest` is one rank that is slower all along by a factor (an
// older GPU, a shared host); d, effects of the machine that grow with each doubling of the ranks
// (jitter met at each level of a tree of messages); c, the single cost of several nodes.
//
// Gradients are exchanged by all-reduces, t(S) for S bytes (below). They are sent in buckets,
// the first of 1 MiB, the others of 25 MiB (PyTorch DDP, Li et al., VLDB 2020), while the backward
// pass goes on: a bucket is ready when the pass has come to it, and sent when the one before has
// been,
//   sent(k) = max(sent(k - 1), ready(k)) + t(S_k)
// A step pays for the part of it that sticks out behind the backward pass.
//
// Left out: memory (a batch that does not fit), mixed precision as a choice of its own, pipeline
// and tensor parallelism; heavy tails of compute times, which would grow faster, and the chance
// that a slow rank is the slowest in some steps only; compression, sharded optimisers.
//
// t(S) is the seconds of an all-reduce of S bytes over n ranks on N nodes, g = n/N a node, by
// algorithm. a and B are a hop's latency and the bus bandwidth (as nccl-tests defines it), inside a
// node and between nodes:
//   ring    2 (n - N) a_in + 2 (N - 1) a_out, and 2 (n - 1)/n S/B over its slowest link
//           (one node: 2 (n - 1) a_in)
//   tree    2 ((g - 1) a_in + log2(N) a_out), and 2 S/(0.92 B) over its slowest link
// `automatic` takes the faster of ring and tree, as NCCL does: it adds latency and bytes over
// bandwidth for each and takes the least. Sources: NCCL 2.30, src/graph/tuning.cc
// (ncclTopoTuneModel: numbers of steps, 0.92 for trees); NVIDIA/nccl-tests, doc/PERFORMANCE.md (bus
// bandwidth).
//
// Left out: protocols (LL, LL128), numbers of channels, a call's own latency (part of a step's
// overhead), ranks that are unevenly spread.
#pragma once

#include <vector>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/profile.hpp"
#include "sim/training/setup.hpp"

namespace gridcast::training {

/// Over the machine's links; 0 for one rank.
Seconds all_reduce(scenario::Collective algorithm, Ranks ranks, Bytes size,
                   scenario::MachineSpec const& machine);

struct StepTime {
  Seconds forward, backward;
  Seconds straggling;  // added by the slowest rank
  Seconds exchange;    // the part behind the backward pass
  Seconds optimizer;

  Seconds compute() const { return forward + backward; }
  Seconds total() const { return compute() + straggling + exchange + optimizer; }
};

/// Forward and backward pass of so many samples.
Seconds compute_time(TrainingSetup const& setup, double samples);
StepTime step_time(TrainingSetup const& setup, double samples);
/// Time of the forward pass over a rank's share of the validation data.
Seconds validation_time(TrainingSetup const& setup);

/// E[max of n independent standard normals]: 0, 1/sqrt(pi), 3/(2 sqrt(pi)), ...
double expected_max_normal(int n);

/// Factor of the compute time of a step on n ranks; 1 for one.
double straggler_factor(scenario::ComputeSpec const& compute, Ranks ranks);

/// Sizes of the buckets, in the order in which the backward pass fills them.
std::vector<Bytes> gradient_buckets(scenario::ExchangeSpec const& exchange);

/// Time that the exchange of those buckets adds to a step beyond the backward pass, with the part
/// between nodes that no overlap hides.
Seconds exposed_exchange(std::vector<Bytes> const& buckets, scenario::ExchangeSpec const& exchange,
                         Ranks ranks, scenario::MachineSpec const& machine, Seconds backward);

}  // namespace gridcast::training
