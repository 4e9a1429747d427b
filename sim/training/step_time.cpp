#include "sim/training/step_time.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"

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

/// P(exp(sd z) <= x).
double body(double x, double sd) {
  if (x <= 0) return 0;
  if (sd <= 0) return x >= 1 ? 1 : 0;
  return normal_cdf(std::log(x) / sd);
}

/// Values of 1 + e that are as likely as each other.
std::vector<double> slow_factors(scenario::ComputeSpec const& compute) {
  constexpr int count = 32;
  std::vector<double> factors;
  for (int i = 0; i < count; ++i) {
    double const z = normal_quantile((i + 0.5) / count);
    factors.push_back(1 + compute.slow_by * std::exp(compute.slow_spread * z));
  }
  return factors;
}

double mixture(scenario::ComputeSpec const& compute, std::vector<double> const& factors, double x,
               double sd) {
  double const fast = body(x, sd);
  if (compute.slow_share <= 0) return fast;
  double slow = 0;
  for (double const factor : factors) slow += body(x / factor, sd);
  return (1 - compute.slow_share) * fast +
         compute.slow_share * slow / static_cast<double>(factors.size());
}

double sd_of(scenario::ComputeSpec const& compute) {
  return std::hypot(compute.rank_spread, compute.spread);
}

/// The end of the distribution.
double end_of(scenario::ComputeSpec const& compute) {
  constexpr double far = 8;
  double const slow =
      compute.slow_share > 0 ? 1 + compute.slow_by * std::exp(far * 0.6 * compute.slow_spread) : 1;
  return slow * std::exp(far * sd_of(compute)) + 1e-9;
}

Seconds per_sample(TrainingSetup const& setup) {
  scenario::ComputeSpec const& compute = setup.profile.compute;
  return (compute.step_time - compute.step_overhead) / setup.measured_batch;
}

Seconds unhidden_exchange(scenario::ExchangeSpec const& exchange, Ranks ranks) {
  if (ranks.nodes <= 1) return Seconds(0);
  return exchange.unhidden + exchange.unhidden_per_doubling * std::log2(ranks.nodes);
}

}  // namespace

Fabric fabric_of(scenario::MachineSpec const& machine) {
  return {{machine.intra_latency, machine.intra_bandwidth},
          {machine.inter_latency, machine.inter_bandwidth}};
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

bool has_persistence(scenario::ComputeSpec const& compute) {
  return compute.rank_spread > 0 || compute.slow_share > 0 || compute.steady_steps > 0;
}

// The integral of 1 - F(x)^n goes over ln x, with 4,000 steps of Simpson's rule between where nothing
// and everything has happened.
double expected_slowest(scenario::ComputeSpec const& compute, int n) {
  auto const factors = slow_factors(compute);
  double const sd = sd_of(compute);
  auto const above = [&](double x) { return 1 - std::pow(mixture(compute, factors, x, sd), n); };
  double const low = std::exp(-8 * sd - 1e-9), high = end_of(compute);
  constexpr int intervals = 4000;
  double const h = std::log(high / low) / intervals;
  double sum = 0;
  for (int i = 0; i <= intervals; ++i) {
    double const x = low * std::exp(h * i);
    double const weight = i == 0 || i == intervals ? 1 : (i % 2 == 1 ? 4 : 2);
    sum += weight * above(x) * x;
  }
  return low + sum * h / 3;
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
                                   fabric_of(setup.machine), step.backward);
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
  if (has_persistence(compute)) {
    double const slowest = std::max(n > 1 ? compute.slowest : 1, expected_slowest(compute, n));
    return slowest + compute.slow_per_doubling * std::log2(n) +
           (ranks.nodes > 1 ? compute.slow_across_nodes : 0);
  }
  double const of_spread = compute.spread > 0 ? compute.spread * expected_max_normal(n) : 0;
  double const slowest = n > 1 ? std::max(compute.slowest, 1 + of_spread) : 1 + of_spread;
  return slowest + compute.slow_per_doubling * std::log2(n) +
         (ranks.nodes > 1 ? compute.slow_across_nodes : 0);
}

std::vector<Bytes> gradient_buckets(scenario::ExchangeSpec const& exchange) {
  std::vector<Bytes> buckets;
  Bytes left = exchange.gradient;
  Bytes next = exchange.first_bucket;
  while (left > Bytes(0)) {
    buckets.push_back(std::min(left, next));
    left -= buckets.back();
    next = exchange.bucket;
  }
  return buckets;
}

std::vector<Seconds> bucket_ready(std::vector<Bytes> const& buckets, Seconds backward,
                                  double overlap) {
  Bytes all;
  for (Bytes const bucket : buckets) all += bucket;
  std::vector<Seconds> ready;
  Bytes so_far;
  for (Bytes const bucket : buckets) {
    so_far += bucket;
    ready.push_back(backward * (1 - overlap * (1 - so_far / all)));
  }
  return ready;
}

Seconds exposed_exchange(std::vector<Bytes> const& buckets, scenario::ExchangeSpec const& exchange,
                         Ranks ranks, Fabric const& fabric, Seconds backward) {
  if (ranks.gpus <= 1) return Seconds(0);
  auto const ready = bucket_ready(buckets, backward, exchange.overlap);
  Seconds sent;
  for (std::size_t k = 0; k < buckets.size(); ++k) {
    sent = std::max(sent, ready[k]) + all_reduce(exchange.algorithm, ranks, buckets[k], fabric);
  }
  return std::max(Seconds(0), sent - backward) + unhidden_exchange(exchange, ranks);
}

}  // namespace gridcast::training
