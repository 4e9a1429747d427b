#include "sim/training/step_time.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::training {
namespace {

using scenario::Collective;

constexpr double tree_efficiency = 0.92;  // of the bus bandwidth, NCCL's tuning.cc
constexpr Bytes first_bucket(1048576);    // PyTorch DDP's kDefaultFirstBucketBytes

BytesPerSecond slowest(Ranks ranks, scenario::MachineSpec const& machine) {
  if (ranks.nodes <= 1) return machine.intra_bandwidth;
  if (ranks.nodes == ranks.gpus) return machine.inter_bandwidth;
  return std::min(machine.intra_bandwidth, machine.inter_bandwidth);
}

Seconds ring(Ranks ranks, Bytes size, scenario::MachineSpec const& machine) {
  double const hops = 2. * (ranks.gpus - 1);
  double const between = 2. * (ranks.nodes - 1);
  return (hops - between) * machine.intra_latency + between * machine.inter_latency +
         (hops / ranks.gpus) * (size / slowest(ranks, machine));
}

Seconds tree(Ranks ranks, Bytes size, scenario::MachineSpec const& machine) {
  return 2 * (ranks.on_node() - 1) * machine.intra_latency +
         2 * std::log2(ranks.nodes) * machine.inter_latency +
         2 / tree_efficiency * (size / slowest(ranks, machine));
}

Seconds per_sample(TrainingSetup const& setup) {
  scenario::ComputeSpec const& compute = setup.profile.compute;
  return (compute.step_time - compute.step_overhead) / setup.measured_batch;
}

Seconds unhidden_exchange(scenario::ExchangeSpec const& exchange, Ranks ranks) {
  if (ranks.nodes <= 1) return Seconds(0);
  return exchange.unhidden + exchange.unhidden_per_doubling * std::log2(ranks.nodes);
}

/// When bucket k of those sizes is ready, counted from the start of the backward pass: with
/// overlap 1 in proportion to the bytes, with 0 all at its end.
std::vector<Seconds> bucket_ready(std::vector<Bytes> const& buckets, Seconds backward,
                                  double overlap) {
  auto const all = sum_of<Bytes>(buckets, std::identity());
  std::vector<Seconds> ready;
  Bytes so_far;
  for (Bytes const bucket : buckets) {
    so_far += bucket;
    ready.push_back(backward * (1 - overlap * (1 - so_far / all)));
  }
  return ready;
}

}  // namespace

Seconds all_reduce(Collective algorithm, Ranks ranks, Bytes size,
                   scenario::MachineSpec const& machine) {
  if (ranks.gpus <= 1) return Seconds();
  switch (algorithm) {
    case Collective::automatic:
      return std::min(ring(ranks, size, machine), tree(ranks, size, machine));
    case Collective::ring:
      return ring(ranks, size, machine);
    case Collective::tree:
      return tree(ranks, size, machine);
  }
  check(false, "every algorithm of an all-reduce has a time");
  return {};
}

Seconds compute_time(TrainingSetup const& setup, double samples) {
  return setup.profile.compute.step_overhead + per_sample(setup) * (samples * setup.gpu_factor);
}

StepTime step_time(TrainingSetup const& setup, double samples) {
  scenario::ComputeSpec const& compute = setup.profile.compute;
  Seconds const both = compute_time(setup, samples);
  StepTime step;
  step.forward = both * compute.forward_share;
  step.backward = both - step.forward;
  step.straggling = both * (straggler_factor(compute, setup.ranks()) - 1);
  scenario::ExchangeSpec const& exchange = setup.profile.exchange;
  step.exchange = exposed_exchange(gradient_buckets(exchange), exchange, setup.ranks(),
                                   setup.machine, step.backward);
  step.optimizer = compute.optimizer;
  return step;
}

Seconds validation_time(TrainingSetup const& setup) {
  double const share = std::ceil(setup.profile.train.validation_samples / setup.gpus);
  return per_sample(setup) * share * setup.profile.compute.forward_share * setup.gpu_factor;
}

// E[max] = integral of 1 - F^n above zero less that of F^n below, by Simpson's rule; F^n differs
// from 0 and 1 by less than 1e-14 beyond +-9.
double expected_max_normal(int n) {
  if (n <= 1) return 0;
  constexpr int intervals = 1800;
  constexpr double end = 9, h = end / intervals;
  auto const f = [n](double x) {
    return 1 - std::pow(normal_cdf(x), n) - std::pow(normal_cdf(-x), n);
  };
  double sum = f(0) + f(end);
  for (int i = 1; i < intervals; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(i * h);
  return sum * h / 3;
}

double straggler_factor(scenario::ComputeSpec const& compute, Ranks ranks) {
  int const n = ranks.gpus;
  double const of_spread = compute.spread > 0 ? compute.spread * expected_max_normal(n) : 0;
  double const slowest = n > 1 ? std::max(compute.slowest, 1 + of_spread) : 1 + of_spread;
  return slowest + compute.slow_per_doubling * std::log2(n) +
         (ranks.nodes > 1 ? compute.slow_across_nodes : 0);
}

std::vector<Bytes> gradient_buckets(scenario::ExchangeSpec const& exchange) {
  std::vector<Bytes> buckets;
  Bytes left = exchange.gradient;
  Bytes next = first_bucket;
  while (left > Bytes(0)) {
    buckets.push_back(std::min(left, next));
    left -= buckets.back();
    next = exchange.bucket;
  }
  return buckets;
}

Seconds exposed_exchange(std::vector<Bytes> const& buckets, scenario::ExchangeSpec const& exchange,
                         Ranks ranks, scenario::MachineSpec const& machine, Seconds backward) {
  if (ranks.gpus <= 1) return Seconds(0);
  auto const ready = bucket_ready(buckets, backward, exchange.overlap);
  Seconds sent;
  for (std::size_t k = 0; k < buckets.size(); ++k) {
    sent = std::max(sent, ready[k]) + all_reduce(exchange.algorithm, ranks, buckets[k], machine);
  }
  return std::max(Seconds(0), sent - backward) + unhidden_exchange(exchange, ranks);
}

}  // namespace gridcast::training
