#include "sim/training/step_costs.hpp"

#include <algorithm>
#include <cmath>

#include "sim/training/step_time.hpp"
#include "sim/training/straggler.hpp"

namespace gridcast::training {

StepCosts::StepCosts(TrainingSetup const& setup, RandomStream stream)
    : setup_(setup),
      stream_(stream),
      link_(ring_link(setup.machine, setup.nodes)),
      buckets_(gradient_buckets(setup.profile.exchange)) {}

Seconds StepCosts::step(double samples) {
  scenario::ComputeSpec const& compute = setup_.profile.compute;
  Seconds const mean = compute_time(setup_, samples);
  double slow = 1 + compute.slow_per_doubling * std::log2(setup_.gpus);
  double const of_draw =
      compute.spread > 0 ? compute.spread * draw_max_normal(setup_.gpus, stream_) : 0;
  bool const one_is_slow = compute.slowest > 1 && setup_.gpus > 1;
  slow += one_is_slow ? std::max(compute.slowest - 1, of_draw) : of_draw;
  Seconds const backward = mean * (1 - compute.forward_share);
  return mean * slow + exchange(backward) + compute.optimizer;
}

Seconds StepCosts::exchange(Seconds backward) const {
  if (setup_.gpus == 1) return Seconds(0);
  auto const ready = bucket_ready(buckets_, backward, setup_.profile.exchange.overlap);
  Seconds network_free;
  for (std::size_t k = 0; k < buckets_.size(); ++k) {
    network_free = std::max(network_free, ready[k]);
    network_free += ring_all_reduce(setup_.gpus, buckets_[k], link_);
  }
  return std::max(Seconds(0), network_free - backward);
}

Seconds StepCosts::opening(Loader const& loader, double before, double samples,
                           double cached) const {
  scenario::ReaderSpec const& reader = setup_.profile.reader;
  double const each = loader.sample.opens;
  double const opens =
      std::floor((before + samples) * each) - std::floor(before * each) - samples * each;
  int const sharing = reader.by == scenario::ReadBy::batch ? 1 : reader.threads;
  Seconds const open = setup_.storage.open_latency + reader.open_overhead;
  return open * (opens * (1 - cached) / sharing);
}

double StepCosts::bulk_samples() const {
  return setup_.profile.reader.all_read_all ? setup_.samples : setup_.samples / setup_.gpus;
}

}  // namespace gridcast::training
