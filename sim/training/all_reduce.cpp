#include "sim/training/all_reduce.hpp"

#include <algorithm>

namespace gridcast::training {

Link ring_link(scenario::MachineSpec const& machine, int nodes) {
  if (nodes <= 1) return {machine.intra_latency, machine.intra_bandwidth};
  return {std::max(machine.intra_latency, machine.inter_latency),
          std::min(machine.intra_bandwidth, machine.inter_bandwidth)};
}

Seconds ring_all_reduce(int ranks, Bytes size, Link link) {
  if (ranks <= 1) return Seconds(0);
  double const hops = 2. * (ranks - 1);
  return hops * link.latency + (hops / ranks) * (size / link.bandwidth);
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

Seconds exposed_exchange(scenario::ExchangeSpec const& exchange, int ranks, Link link,
                         Seconds backward) {
  if (ranks <= 1) return Seconds(0);
  auto const buckets = gradient_buckets(exchange);
  auto const ready = bucket_ready(buckets, backward, exchange.overlap);
  Seconds sent;
  for (std::size_t k = 0; k < buckets.size(); ++k) {
    sent = std::max(sent, ready[k]) + ring_all_reduce(ranks, buckets[k], link);
  }
  return std::max(Seconds(0), sent - backward);
}

}  // namespace gridcast::training
