// One step of synchronous data-parallel training, in seconds, without waiting for data:
//   step = (forward + backward) x straggler(n, N) + what the exchange adds + optimizer
//   forward + backward = overhead + batch x per sample x (GPU measured / GPU asked for)
// The time per sample is the measured step's, less the overhead, over its batch. The overhead is the
// host's (launching kernels, the framework), so a faster GPU does not shorten it: MLPerf's ResNet-50
// shows 4 to 5 ms of it on A100s and H100s alike (docs/sources.md).
//
// A synchronous step is as slow as its slowest rank. If ranks' compute times are normal with relative
// spread s, then n of them take
//   straggler(n, N) = max(slowest, 1 + s E[max of n standard normals]) + d log2 n + c (N > 1)
// E[max] is about sqrt(2 ln n) (David & Nagaraja, Order Statistics, 4.5), exactly the integral over
// x > 0 of 1 - Phi(x)^n - Phi(-x)^n. `slowest` is one rank that is slower all along by a factor (an
// older GPU, a shared host); d, effects of the machine that grow with each doubling of the ranks
// (jitter met at each level of a tree of messages); c, what running on several nodes costs once.
//
// Gradients are exchanged by all-reduces, t(S) for S bytes (collective.hpp). They are sent in buckets,
// the first of 1 MiB, the others of 25 MiB (PyTorch DDP, Li et al., VLDB 2020), while the backward pass
// goes on: a bucket is ready when the pass has come to it, and sent when the one before has been,
//   sent(k) = max(sent(k - 1), ready(k)) + t(S_k)
// What sticks out behind the backward pass is what a step pays.
//
// Left out: memory (a batch that does not fit), mixed precision as a choice of its own, pipeline and
// tensor parallelism; heavy tails of compute times, which would grow faster, and the chance that a slow
// rank is the slowest in some steps only; compression, sharded optimisers.
#pragma once

#include <vector>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/profile.hpp"
#include "sim/training/collective.hpp"
#include "sim/training/setup.hpp"

namespace gridcast::training {

struct StepTime {
  Seconds forward, backward;
  Seconds straggling;  // what the slowest rank adds
  Seconds exchange;    // what sticks out behind the backward pass
  Seconds optimizer;

  Seconds compute() const { return forward + backward; }
  Seconds total() const { return compute() + straggling + exchange + optimizer; }
};

/// Forward and backward pass of so many samples.
Seconds compute_time(TrainingSetup const& setup, double samples);
StepTime step_time(TrainingSetup const& setup, double samples);
/// Of the samples of a rank's share of the validation data: the forward pass alone.
Seconds validation_time(TrainingSetup const& setup);

/// E[max of n independent standard normals]: 0, 1/sqrt(pi), 3/(2 sqrt(pi)), ...
double expected_max_normal(int n);

/// One draw of that maximum, with one uniform.
double draw_max_normal(int n, RandomStream& stream);

/// By what the compute time of a step grows on n ranks; 1 for one.
double straggler_factor(scenario::ComputeSpec const& compute, Ranks ranks);

/// Sizes of the buckets, in the order in which the backward pass fills them.
std::vector<Bytes> gradient_buckets(scenario::ExchangeSpec const& exchange);

/// When bucket k of those sizes is ready, counted from the start of the backward pass: with
/// overlap 1 in proportion to the bytes, with 0 all at its end.
std::vector<Seconds> bucket_ready(std::vector<Bytes> const& buckets, Seconds backward,
                                  double overlap);

/// What the exchange of those buckets adds to a step beyond the backward pass, with what no overlap
/// hides between nodes.
Seconds exposed_exchange(std::vector<Bytes> const& buckets, scenario::ExchangeSpec const& exchange,
                         Ranks ranks, Fabric const& fabric, Seconds backward);

}  // namespace gridcast::training
