#include "tests/training/step_simulation.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/statistics.hpp"

namespace gridcast::training {

double draw_max_normal(int n, RandomStream& stream) {
  constexpr double nearly_one = 1 - 0x1p-53;
  return normal_quantile(std::min(nearly_one, std::pow(stream.uniform(), 1.0 / n)));
}

StepCosts::StepCosts(TrainingSetup const& setup, RandomStream stream)
    : setup_(setup), stream_(stream), buckets_(gradient_buckets(setup.profile.exchange)) {}

Seconds StepCosts::step(double samples) {
  scenario::ComputeSpec const& compute = setup_.profile.compute;
  Seconds const mean = compute_time(setup_, samples);
  double slow = 1 + compute.slow_per_doubling * std::log2(setup_.gpus) +
                (setup_.nodes > 1 ? compute.slow_across_nodes : 0);
  double const of_draw =
      compute.spread > 0 ? compute.spread * draw_max_normal(setup_.gpus, stream_) : 0;
  bool const one_is_slow = compute.slowest > 1 && setup_.gpus > 1;
  slow += one_is_slow ? std::max(compute.slowest - 1, of_draw) : of_draw;
  Seconds const backward = mean * (1 - compute.forward_share);
  Seconds const exchange =
      exposed_exchange(buckets_, setup_.profile.exchange, setup_.ranks(), setup_.machine, backward);
  return mean * slow + exchange + compute.optimizer;
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

void SimulatedTraining::add_epoch(SimulatedEpoch const& epoch, int of) {
  waiting += epoch.waiting;
  au += epoch.au / of;
  epochs.push_back(epoch);
}

double utilisation(Seconds total, Seconds computing, Seconds first_step, Seconds first_compute,
                   int steps) {
  if (total <= Seconds(0)) return 0;
  if (steps <= 1) return computing / total;
  return (computing - first_compute) / (total - first_step);
}

}  // namespace gridcast::training
