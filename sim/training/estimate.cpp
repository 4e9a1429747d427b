#include "sim/training/estimate.hpp"

#include <algorithm>

#include "sim/training/input_pipeline.hpp"

namespace gridcast::training {
namespace {

/// What an epoch costs, and what it reads.
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

  /// Reads of one rank in an epoch. Where the shared bandwidth starves it, calls take longer.
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
    result_.supply = supply(make_loader(setup_, train().batch, 0));
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

  static Seconds supply(Loader const& loader) { return loader.load / std::max(1, loader.lanes); }

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

  /// What a checkpoint between two steps makes training stand still, where it waits for batches.
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

Seconds training_time(scenario::Profile const& profile, scenario::Hardware const& hardware,
                      TrainingRequest const& request) {
  return estimate_training(training_setup(profile, hardware, request)).total;
}

}  // namespace gridcast::training
