#include "sim/training/estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/random.hpp"

namespace gridcast::training {
namespace {

/// The time and the reads of an epoch.
struct EpochCost {
  Seconds waiting, reading;
  Seconds io;  // in calls of one rank
  double au = 0;
  double cached = 0;
  Seconds first;  // step
  Loader loader;
};

class Estimator {
 public:
  explicit Estimator(TrainingSetup const& setup)
      : setup_(setup),
        profile_(setup.profile),
        plan_(epoch_plan(setup)),
        step_(step_time(setup, setup.profile.train.batch)),
        last_(plan_.rest > 0 ? step_time(setup, plan_.rest) : StepTime{}),
        unhidden_(unhidden(setup)) {}

  TrainingEstimate run() {
    fixed_parts();
    epochs();
    Stall const stall = stall_of(saves());
    if (stall.time > Seconds(0) || stall.lost > Seconds(0)) saves(catch_up(stall));
    finish();
    return result_;
  }

 private:
  scenario::TrainSpec const& train() const { return profile_.train; }

  Seconds per_epoch(Seconds StepTime::*part) const {
    return step_.*part * plan_.full + last_.*part;
  }

  /// Everything that does not depend on the input.
  void fixed_parts() {
    TimeParts& parts = result_.parts;
    int const epochs = train().epochs;
    scenario::ComputeSpec const& compute = profile_.compute;
    parts.start = compute.start;
    parts.staging = staging_time(setup_);
    parts.warm_up = step_.total() * train().warm_up_steps * train().warm_up_slowdown;
    parts.computing = (per_epoch(&StepTime::forward) + per_epoch(&StepTime::backward)) * epochs;
    parts.straggling = per_epoch(&StepTime::straggling) * epochs;
    parts.exchange = per_epoch(&StepTime::exchange) * epochs;
    parts.optimizer = per_epoch(&StepTime::optimizer) * epochs;
    parts.epoch_overhead =
        (compute.epoch_overhead + (setup_.gpus > 1 ? compute.group_overhead : Seconds(0))) * epochs;
    parts.validation = validation_time(setup_) * epochs;
  }

  EpochCost epoch_cost(int epoch) const {
    EpochCost cost;
    cost.cached = cached_share(setup_, epoch);
    cost.loader = make_loader(setup_, train().batch, cost.cached);
    Loader const last = make_loader(setup_, plan_.rest, cost.cached);
    Seconds const computing = step_.total() * plan_.full + last_.total();
    cost.first = step_.total();
    if (profile_.reader.when == scenario::ReadWhen::each_step) {
      StepsTime const steps = steps_time(plan_, cost.loader, last, step_.total() + unhidden_,
                                         last_.total() + unhidden_);
      cost.waiting = steps.waiting() + unhidden_ * plan_.steps();
      cost.io = step_io(cost.loader);
      cost.first = steps.first_step;
    } else if (profile_.reader.when == scenario::ReadWhen::epoch_start) {
      cost.reading = bulk_read_time(setup_, setup_.storage, setup_.bulk_samples(), cost.cached);
      cost.io = cost.reading;
    }
    cost.au = utilisation(computing, computing + cost.waiting, cost.first);
    return cost;
  }

  /// Reads of one rank in an epoch. If the shared bandwidth starves it, calls take longer.
  Seconds step_io(Loader const& loader) const {
    double const samples = plan_.samples(train().batch);
    Seconds const calls = loader.sample.io * samples;
    bool const starving = loader.load > step_.total() * std::max(1, loader.lanes);
    if (!starving) return calls;
    int const threads = profile_.reader.by == scenario::ReadBy::batch ? 1 : profile_.reader.threads;
    return calls + (loader.load - loader.alone) * (threads * samples / train().batch);
  }

  /// DLIO: computing / time of the block, both without the first step.
  double utilisation(Seconds computing, Seconds total, Seconds first) const {
    if (plan_.steps() <= 1) return total > Seconds(0) ? computing / total : 0;
    return (computing - step_.total()) / (total - first);
  }

  void add(EpochCost const& cost, int epochs) {
    result_.parts.waiting += cost.waiting * epochs;
    result_.parts.reading += cost.reading * epochs;
    io_ += cost.io * epochs;
    result_.au += cost.au * epochs;
    if (profile_.reader.when == scenario::ReadWhen::each_step) {
      count_reads(cost.loader.sample, cost.cached,
                  plan_.samples(train().batch) * setup_.gpus * epochs);
    } else if (profile_.reader.when == scenario::ReadWhen::epoch_start) {
      count_reads(cost.loader.sample, cost.cached, setup_.bulk_samples() * setup_.gpus * epochs);
    }
  }

  /// Epoch by epoch until the page cache has settled, the rest at once.
  void epochs() {
    constexpr double settled = 1e-6;
    Loader const loader = make_loader(setup_, train().batch, 0);
    result_.supply = loader.load / std::max(1, loader.lanes);
    int epoch = 1;
    while (epoch <= train().epochs) {
      EpochCost const cost = epoch_cost(epoch);
      bool const same = epoch > 1 && cached_share(setup_, epoch + 1) - cost.cached < settled;
      int const count = same ? train().epochs - epoch + 1 : 1;
      add(cost, count);
      epoch += count;
    }
    result_.au /= train().epochs;
    at_start();
  }

  /// Reads that come once a job, the warm-up's included.
  void at_start() {
    scenario::ReaderSpec const& reader = profile_.reader;
    ReadCost const sample = sample_cost(setup_, setup_.storage, 0);
    if (reader.when == scenario::ReadWhen::job_start) {
      Seconds const reading = bulk_read_time(setup_, setup_.storage, setup_.bulk_samples(), 0);
      result_.parts.reading += reading;
      io_ += reading;
      count_reads(sample, 0, setup_.bulk_samples() * setup_.gpus);
    }
    if (reader.when == scenario::ReadWhen::each_step && train().warm_up_steps > 0) {
      double const samples = static_cast<double>(train().warm_up_steps) * train().batch;
      io_ += sample.io * samples;
      count_reads(sample, 0, samples * setup_.gpus);
    }
    if (reader.shared_file && reader.when != scenario::ReadWhen::never) {
      io_ += setup_.storage.open_latency + reader.open_overhead;
      result_.opens += setup_.gpus;
    }
    if (reader.start_reads == 0) return;
    Seconds const first =
        read_time(setup_.storage, reader, reader.start_read_size) * reader.start_reads;
    result_.parts.reading += first;
    io_ += first;
    count(reader.start_read_size, reader.start_reads * setup_.gpus);
    result_.from_store += reader.start_read_size * (reader.start_reads * setup_.gpus);
  }

  void count(Bytes size, double reads) {
    if (reads <= 0) return;
    for (Operations& same : result_.reads) {
      if (same.size == size) {
        same.count += reads;
        return;
      }
    }
    result_.reads.push_back({size, reads});
  }

  void count_reads(ReadCost const& sample, double cached, double samples) {
    scenario::ReaderSpec const& reader = profile_.reader;
    double const reads = sample.reads * samples;
    result_.from_store += sample.bytes * (samples * (1 - cached));
    result_.from_cache += sample.bytes * (samples * cached);
    result_.opens += sample.opens * samples;
    // The size that reads have, where the data set's records do not cut them short.
    Bytes const size =
        reader.sequential ? reader.transfer_size : std::min(reader.transfer_size, sample.size);
    count(size, reads * (1 - reader.other_share));
    count(reader.other_size, reads * reader.other_share);
  }

  /// The standstill of training for a checkpoint between two steps, if it waits for batches.
  Stall stall_of(SavePlan const& plan) const {
    Loader const loader = make_loader(setup_, train().batch, 0);
    bool const prefetches =
        profile_.reader.when == scenario::ReadWhen::each_step && loader.lanes > 0;
    constexpr double most_steps = 1e7;
    bool const many = result_.steps * train().epochs > most_steps;
    if (!prefetches || many || plan.steps == 0) return {};
    scenario::CheckpointSpec const& checkpoint = profile_.checkpoint;
    bool const waits = checkpoint.mode == scenario::SaveMode::wait;
    Seconds const save = save_time(setup_);
    Seconds const time = waits ? save : std::max(Seconds(0), save - plan.interval);
    Stall stall{plan.steps, 0, time, lost_to_checkpoint(setup_, loader)};
    if (checkpoint.every_steps == 0) stall.after = checkpoint.every;
    return stall;
  }

  /// Readers go on while training stands still: steps are counted one by one. Returns how many
  /// steps there are from one checkpoint to the next.
  double catch_up(Stall stall) {
    result_.parts.waiting = Seconds(0);
    result_.au = 0;
    Seconds const computing = step_.total() * plan_.full + last_.total();
    double stalls = 0, last_stall = 0;
    for (int epoch = 1; epoch <= train().epochs; ++epoch) {
      EpochCost const cost = epoch_cost(epoch);
      Loader const last = make_loader(setup_, plan_.rest, cost.cached);
      StalledSteps const steps = stalled_steps(plan_, cost.loader, last, step_.total() + unhidden_,
                                               last_.total() + unhidden_, stall);
      if (steps.stalls > 0) last_stall = stall.before + steps.last;
      stalls += steps.stalls;
      stall.before += plan_.steps();
      stall.since =
          steps.since + (result_.parts.epoch_overhead + result_.parts.validation) / train().epochs;
      Seconds const waiting = steps.waiting + unhidden_ * plan_.steps();
      result_.parts.waiting += waiting;
      result_.au += utilisation(computing, computing + waiting, cost.first) / train().epochs;
    }
    return stalls > 0 ? last_stall / stalls : 0;
  }

  SavePlan saves(double steps = 0) {
    TimeParts const& parts = result_.parts;
    Seconds const once = parts.start + parts.staging + parts.warm_up;
    Seconds const training = parts.total() - once - parts.saving;
    result_.steps = plan_.steps();
    result_.epoch = training / train().epochs;
    Seconds const in_steps =
        parts.computing + parts.straggling + parts.exchange + parts.optimizer + parts.waiting;
    result_.step_mean = in_steps / std::max(1., result_.steps * train().epochs);
    SavePlan const plan = save_plan(setup_, plan_.steps(), result_.step_mean, result_.epoch, steps);
    result_.plan = plan;
    result_.parts.saving = plan.cost;
    result_.saves = plan.count;
    result_.save = plan.count > 0 ? save_time(setup_) : Seconds(0);
    result_.written = plan.written;
    result_.epoch = (training + plan.cost) / train().epochs;
    return plan;
  }

  void finish() {
    result_.step = step_;
    io_ += result_.save * result_.saves;
    result_.total = result_.parts.total();
    TimeParts const& parts = result_.parts;
    if (result_.total > Seconds(0)) {
      result_.io_share = std::min(1., io_ / result_.total);
      result_.wait_share = (parts.waiting + parts.reading + parts.saving) / result_.total;
      result_.samples_per_s =
          plan_.samples(train().batch) * setup_.gpus * train().epochs / result_.total.value();
    }
    result_.global_batch = static_cast<double>(train().batch) * setup_.gpus;
    result_.learning_rate = train().learning_rate * result_.global_batch / setup_.measured_batch;
  }

  TrainingSetup const& setup_;
  scenario::Profile const& profile_;
  EpochPlan plan_;
  StepTime step_, last_;
  Seconds unhidden_;  // of a step
  Seconds io_;
  TrainingEstimate result_;
};

/// Point i >= 1 of Halton's sequence in that base, as a standard normal.
double even_normal(std::size_t i, unsigned base) {
  double fraction = 1, u = 0;
  for (; i > 0; i /= base) {
    fraction /= base;
    u += fraction * static_cast<double>(i % base);
  }
  return normal_quantile(u);
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
  if (!stores.empty()) put(setup, spread(stores, i, count));
  return setup;
}

constexpr std::size_t all_worlds = 100;

std::vector<PossibleSetup> possible_setups(TrainingSetup const& setup) {
  std::vector<PossibleSetup> all;
  if (is_certain(setup)) return {PossibleSetup{setup, 1}};
  for (std::size_t i = 0; i < all_worlds; ++i) all.push_back(one_of(setup, i, all_worlds));
  return all;
}

}  // namespace

Seconds TimeParts::total() const {
  return start + staging + warm_up + reading + waiting + computing + straggling + exchange +
         optimizer + epoch_overhead + validation + saving;
}

TrainingEstimate estimate_training(TrainingSetup const& setup) {
  TrainingEstimate estimate = Estimator(setup).run();
  if (setup.gpus > 1) {
    double const one = Estimator(on_one_gpu(setup)).run().samples_per_s;
    estimate.efficiency = estimate.samples_per_s / (setup.gpus * one);
  }
  return estimate;
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

PossibleSetup possible_setup(TrainingSetup const& setup, double u) {
  if (is_certain(setup)) return {setup, 1};
  auto const i = static_cast<std::size_t>(u * static_cast<double>(all_worlds));
  return one_of(setup, std::min(i, all_worlds - 1), all_worlds);
}

std::optional<TrainingInterval> training_interval(TrainingSetup const& setup) {
  auto const possible = possible_setups(setup);
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
