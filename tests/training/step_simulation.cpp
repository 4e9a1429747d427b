#include "tests/training/step_simulation.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/statistics.hpp"

namespace gridcast::training {

StragglerWalk::StragglerWalk(scenario::ComputeSpec const& compute, int ranks, RandomStream stream)
    : compute_(compute),
      stream_(stream),
      memory_(compute.steady_steps > 0 ? std::exp(-1 / compute.steady_steps) : 0),
      ranks_(static_cast<std::size_t>(ranks)) {
  for (Rank& rank : ranks_) {
    rank.own = compute_.rank_spread * normal();
    rank.changing = compute_.spread * normal();
    bool const slow = compute_.slow_share > 0 && stream_.chance(compute_.slow_share);
    if (slow) rank.excess = compute_.slow_by * std::exp(compute_.slow_spread * normal());
  }
}

double StragglerWalk::normal() { return normal_quantile(stream_.uniform()); }

// A spell ends with probability 1/slow_steps a step, and begins so often that the share is right:
// share = begin / (begin + end).
void StragglerWalk::move(Rank& rank) {
  rank.changing =
      memory_ * rank.changing + std::sqrt(1 - memory_ * memory_) * compute_.spread * normal();
  if (compute_.slow_share <= 0) return;
  double const end = 1 / std::max(1., compute_.slow_steps);
  double const begin = std::min(1., end * compute_.slow_share / (1 - compute_.slow_share));
  bool const ends = rank.excess > 0 && stream_.chance(end);
  if (ends) {
    rank.excess = 0;
  } else if (rank.excess <= 0 && stream_.chance(begin)) {
    rank.excess = compute_.slow_by * std::exp(compute_.slow_spread * normal());
  }
}

double StragglerWalk::next() {
  double slowest = 0;
  for (Rank& rank : ranks_) {
    slowest = std::max(slowest, std::exp(rank.own + rank.changing) * (1 + rank.excess));
    move(rank);
  }
  return slowest;
}

double draw_max_normal(int n, RandomStream& stream) {
  constexpr double nearly_one = 1 - 0x1p-53;
  return normal_quantile(std::min(nearly_one, std::pow(stream.uniform(), 1.0 / n)));
}

StepCosts::StepCosts(TrainingSetup const& setup, RandomStream stream)
    : setup_(setup),
      stream_(stream),
      fabric_(fabric_of(setup.machine)),
      buckets_(gradient_buckets(setup.profile.exchange)) {
  if (has_persistence(setup.profile.compute)) {
    walk_.emplace(setup.profile.compute, setup.gpus, stream);
  }
}

Seconds StepCosts::step(double samples) {
  scenario::ComputeSpec const& compute = setup_.profile.compute;
  Seconds const mean = compute_time(setup_, samples);
  double slow = 1 + compute.slow_per_doubling * std::log2(setup_.gpus) +
                (setup_.nodes > 1 ? compute.slow_across_nodes : 0);
  double const of_draw = walk_ ? walk_->next() - 1
                         : compute.spread > 0
                             ? compute.spread * draw_max_normal(setup_.gpus, stream_)
                             : 0;
  bool const one_is_slow = compute.slowest > 1 && setup_.gpus > 1;
  slow += one_is_slow ? std::max(compute.slowest - 1, of_draw) : of_draw;
  Seconds const backward = mean * (1 - compute.forward_share);
  Seconds const exchange =
      exposed_exchange(buckets_, setup_.profile.exchange, setup_.ranks(), fabric_, backward);
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
