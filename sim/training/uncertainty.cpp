#include "sim/training/uncertainty.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/distribution.hpp"

namespace gridcast::training {
namespace {

/// Point i >= 1 of Halton's sequence in that base, as a standard normal.
double even_normal(std::size_t i, unsigned base) {
  double fraction = 1, u = 0;
  for (; i > 0; i /= base) {
    fraction /= base;
    u += fraction * static_cast<double>(i % base);
  }
  return normal_quantile(u);
}

void put(TrainingSetup& setup, scenario::StepDraw const& draw) {
  scenario::ComputeSpec& compute = setup.profile.compute;
  compute.step_time = draw.step_time;
  compute.step_overhead = draw.step_overhead;
  compute.slow_per_doubling = draw.slow_per_doubling;
  compute.slow_across_nodes = draw.slow_across_nodes;
  compute.group_overhead = draw.group_overhead;
  scenario::ExchangeSpec& exchange = setup.profile.exchange;
  exchange.overlap = draw.overlap;
  exchange.unhidden = draw.unhidden;
  exchange.unhidden_per_doubling = draw.unhidden_per_doubling;
  // Another machine's links are not those that were measured.
  if (setup.machine.name != setup.profile.machine) return;
  setup.machine.intra_bandwidth = draw.intra_bandwidth;
  setup.machine.inter_bandwidth = draw.inter_bandwidth;
  setup.machine.inter_latency = draw.inter_latency;
}

void put(TrainingSetup& setup, scenario::StoreDraw const& draw, double slower) {
  scenario::ReaderSpec& reader = setup.profile.reader;
  reader.unhidden = draw.unhidden * slower;
  reader.unhidden_shared = draw.unhidden_shared * slower;
  reader.unhidden_ranks = draw.unhidden_ranks;
  reader.unhidden_hosts = draw.unhidden_hosts;
  reader.decode = draw.decode;
  if (setup.storage.name != setup.profile.storage) return;
  setup.storage.open_latency = draw.open_latency;
  setup.storage.stream_bandwidth = draw.stream_bandwidth;
  setup.storage.node_bandwidth = draw.node_bandwidth;
  setup.storage.bandwidth = draw.bandwidth;
}

double beyond(TrainingSetup const& setup) {
  scenario::Profile const& profile = setup.profile;
  double const most = profile.fitted_gpus, least = profile.fitted_batch;
  return doublings_beyond(most > 0 ? setup.gpus / most : 1, least / profile.train.batch);
}

/// One of `count` that are spread over all.
template <class Draw>
Draw const& spread(std::vector<Draw> const& draws, std::size_t i, std::size_t count) {
  return draws[i * draws.size() / count];
}

bool is_fitted(TrainingSetup const& setup) {
  return !setup.profile.fitted.empty() || !setup.profile.fitted_store.empty();
}

bool is_certain(TrainingSetup const& setup) {
  return !is_fitted(setup) && setup.gpu_variation <= 0;
}

/// Number i of `count`.
PossibleSetup one_of(TrainingSetup const& setup, std::size_t i, std::size_t count) {
  scenario::Profile const& profile = setup.profile;
  PossibleSetup possible{setup, 1};
  possible.setup.gpu_factor *= std::exp(setup.gpu_variation * even_normal(i + 1, 2));
  if (!profile.fitted.empty()) {
    scenario::StepDraw const& draw = spread(profile.fitted, i, count);
    put(possible.setup, draw);
    possible.slower = std::exp(forecast_sd(draw.noise, beyond(setup)) * even_normal(i + 1, 3));
  }
  if (!profile.fitted_store.empty()) {
    scenario::StoreDraw const& draw = spread(profile.fitted_store, i, count);
    double const noise = draw.noise * std::sqrt(1 + beyond(setup));
    put(possible.setup, draw, std::exp(noise * even_normal(i + 1, 5)));
  }
  return possible;
}

/// The same without the noise of a configuration and the doubt about another GPU.
TrainingSetup as_drawn(TrainingSetup setup, std::size_t i, std::size_t count) {
  std::vector<scenario::StepDraw> const& steps = setup.profile.fitted;
  std::vector<scenario::StoreDraw> const& stores = setup.profile.fitted_store;
  if (!steps.empty()) put(setup, spread(steps, i, count));
  if (!stores.empty()) put(setup, spread(stores, i, count), 1);
  return setup;
}

constexpr std::size_t all_worlds = 100;

}  // namespace

double doublings_beyond(double gpus, double batch) {
  return std::log2(std::max(1., gpus)) + std::log2(std::max(1., batch));
}

double forecast_sd(double noise, double doublings) {
  constexpr double form = 0.02;
  return std::hypot(noise * std::sqrt(1 + doublings), form * doublings);
}

TypicalTraining typical_training(TrainingSetup const& setup) {
  if (!is_fitted(setup)) return {setup, estimate_training(setup)};
  std::vector<std::pair<Seconds, std::size_t>> epochs;
  std::vector<double> alone;  // samples a second of one GPU
  for (std::size_t i = 0; i < all_worlds; ++i) {
    TrainingEstimate const estimate = estimate_training(as_drawn(setup, i, all_worlds));
    epochs.emplace_back(estimate.epoch, i);
    alone.push_back(estimate.samples_per_s / (setup.gpus * estimate.efficiency));
  }
  auto const middle = epochs.begin() + all_worlds / 2;
  std::nth_element(epochs.begin(), middle, epochs.end());
  TypicalTraining typical{as_drawn(setup, middle->second, all_worlds), {}};
  typical.estimate = estimate_training(typical.setup);
  typical.estimate.efficiency =
      typical.estimate.samples_per_s / (setup.gpus * median(std::move(alone)));
  return typical;
}

std::vector<PossibleSetup> possible_setups(TrainingSetup const& setup, std::size_t most) {
  std::vector<PossibleSetup> all;
  if (is_certain(setup)) return {PossibleSetup{setup, 1}};
  for (std::size_t i = 0; i < most; ++i) all.push_back(one_of(setup, i, most));
  return all;
}

PossibleSetup possible_setup(TrainingSetup const& setup, double u) {
  if (is_certain(setup)) return {setup, 1};
  auto const i = static_cast<std::size_t>(u * static_cast<double>(all_worlds));
  return one_of(setup, std::min(i, all_worlds - 1), all_worlds);
}

std::optional<TrainingInterval> training_interval(TrainingSetup const& setup) {
  auto const possible = possible_setups(setup, all_worlds);
  if (possible.size() < 2) return std::nullopt;
  std::vector<double> epochs, totals, rates, utilisations;
  for (PossibleSetup const& one : possible) {
    TrainingEstimate const estimate = estimate_training(one.setup);
    epochs.push_back(estimate.epoch.value() * one.slower);
    totals.push_back(estimate.total.value() * one.slower);
    rates.push_back(estimate.samples_per_s / one.slower);
    utilisations.push_back(estimate.au);
  }
  auto const interval = [](std::vector<double> values) {
    constexpr std::array<double, 2> ends = {0.05, 0.95};
    auto const q = quantiles(std::move(values), ends);
    return Interval{q[0], q[1]};
  };
  return TrainingInterval{interval(std::move(epochs)), interval(std::move(totals)),
                          interval(std::move(rates)), interval(std::move(utilisations))};
}

}  // namespace gridcast::training
