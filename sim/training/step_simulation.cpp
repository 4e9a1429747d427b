#include "sim/training/step_simulation.hpp"

#include <algorithm>
#include <cmath>

#include "sim/training/all_reduce.hpp"
#include "sim/training/checkpoint.hpp"
#include "sim/training/input_pipeline.hpp"
#include "sim/training/step_time.hpp"
#include "sim/training/straggler.hpp"

namespace gridcast {
namespace {

/// Batches of one epoch on their way from the store to training. Batch i can be begun when its lane
/// is free and batch i - depth has been taken.
class BatchQueue {
 public:
  BatchQueue(int lanes, int depth, Seconds now)
      : lane_free_(static_cast<std::size_t>(std::max(1, lanes)), now),
        taken_(static_cast<std::size_t>(std::max(1, depth)), now),
        waits_for_training_(lanes == 0) {}

  /// When the next batch is ready, if loading takes `load` and training asks at `asked`.
  Seconds ready(Seconds load, Seconds asked) {
    Seconds& lane = lane_free_[next_ % lane_free_.size()];
    Seconds begin = std::max(lane, taken_[next_ % taken_.size()]);
    if (waits_for_training_) begin = asked;
    lane = begin + load;
    return lane;
  }
  void take(Seconds at) { taken_[next_++ % taken_.size()] = at; }

 private:
  std::vector<Seconds> lane_free_;
  std::vector<Seconds> taken_;
  bool waits_for_training_;
  std::size_t next_ = 0;
};

class StepByStep {
 public:
  StepByStep(TrainingSetup const& setup, RandomStream stream)
      : setup_(setup),
        profile_(setup.profile),
        stream_(stream),
        plan_(epoch_plan(setup)),
        link_(ring_link(setup.machine, setup.nodes)),
        buckets_(gradient_buckets(setup.profile.exchange)),
        save_(save_time(setup)) {}

  SimulatedTraining run() {
    start();
    for (int epoch = 1; epoch <= train().epochs; ++epoch) run_epoch(epoch);
    finish();
    return result_;
  }

 private:
  TrainSpec const& train() const { return profile_.train; }
  bool reads(ReadWhen when) const { return profile_.reader.when == when; }

  void start() {
    ReaderSpec const& reader = profile_.reader;
    now_ = profile_.compute.start + staging_time(setup_);
    for (int i = 0; i < train().warm_up_steps; ++i) {
      now_ += step(train().batch) * train().warm_up_slowdown;
    }
    double const all = reader.all_read_all ? setup_.samples : setup_.samples / setup_.gpus;
    if (reads(ReadWhen::job_start)) now_ += bulk_read_time(setup_, setup_.storage, all, 0);
    now_ += read_time(setup_.storage, reader, reader.start_read_size) * reader.start_reads;
    last_save_ = now_;
  }

  /// The slowest rank's compute time and what the exchange adds.
  Seconds step(double samples) {
    ComputeSpec const& compute = profile_.compute;
    Seconds const mean = compute_time(setup_, samples);
    double slow = 1 + compute.slow_per_doubling * std::log2(setup_.gpus);
    double const of_draw =
        compute.spread > 0 ? compute.spread * draw_max_normal(setup_.gpus, stream_) : 0;
    bool const one_is_slow = compute.slowest > 1 && setup_.gpus > 1;
    slow += one_is_slow ? std::max(compute.slowest - 1, of_draw) : of_draw;
    Seconds const backward = mean * (1 - compute.forward_share);
    return mean * slow + exchange(backward) + compute.optimizer;
  }

  Seconds exchange(Seconds backward) const {
    if (setup_.gpus == 1) return Seconds(0);
    auto const ready = bucket_ready(buckets_, backward, profile_.exchange.overlap);
    Seconds network_free;
    for (std::size_t k = 0; k < buckets_.size(); ++k) {
      network_free = std::max(network_free, ready[k]);
      network_free += ring_all_reduce(setup_.gpus, buckets_[k], link_);
    }
    return std::max(Seconds(0), network_free - backward);
  }

  /// Loading of a batch, the files that begin in it opened.
  Seconds load(Loader const& loader, double samples, double cached) {
    ReadCost const& cost = loader.sample;
    double const before = std::floor(read_ * cost.opens);
    read_ += samples;
    double const opens = std::floor(read_ * cost.opens) - before - samples * cost.opens;
    int const sharing = profile_.reader.by == ReadBy::batch ? 1 : profile_.reader.threads;
    Seconds const open = setup_.storage.open_latency + profile_.reader.open_overhead;
    Seconds const alone = loader.alone + open * (opens * (1 - cached) / sharing);
    return std::max(alone, loader.load > loader.alone ? loader.load : Seconds(0));
  }

  void run_epoch(int number) {
    double const cached = cached_share(setup_, number);
    if (reads(ReadWhen::epoch_start)) {
      bool const all = profile_.reader.all_read_all;
      now_ += bulk_read_time(setup_, setup_.storage,
                             all ? setup_.samples : setup_.samples / setup_.gpus, cached);
    }
    run_steps(cached);
    ComputeSpec const& compute = profile_.compute;
    now_ += compute.epoch_overhead + validation_time(setup_);
    if (setup_.gpus > 1) now_ += compute.group_overhead;
    save_if_due_by_epoch(number);
  }

  void run_steps(double cached) {
    Loader const full = make_loader(setup_, train().batch, cached);
    Loader const last = make_loader(setup_, plan_.rest, cached);
    BatchQueue queue(full.lanes, full.depth, now_);
    Seconds const begin = now_;
    Seconds computing, first, saving;
    for (int i = 0; i < plan_.steps(); ++i) {
      bool const whole = i < plan_.full;
      double const samples = whole ? train().batch : plan_.rest;
      Seconds taken = now_;
      if (reads(ReadWhen::each_step)) {
        taken = std::max(now_, queue.ready(load(whole ? full : last, samples, cached), now_));
        queue.take(taken);
      }
      Seconds const computed = step(samples);
      now_ = taken + computed;
      computing += computed;
      if (i == 0) first = now_ - begin;
      if (i == 0) first_compute_ = computed;
      saving += save_if_due_by_step();
    }
    note_epoch(now_ - begin - saving, computing, first);
  }

  void note_epoch(Seconds total, Seconds computing, Seconds first) {
    SimulatedEpoch epoch{total, total - computing, 0};
    bool const one = plan_.steps() <= 1;
    if (total > Seconds(0)) {
      epoch.au = one ? computing / total : (computing - first_compute_) / (total - first);
    }
    result_.waiting += epoch.waiting;
    result_.au += epoch.au / train().epochs;
    result_.epochs.push_back(epoch);
  }

  /// Training stands still for what it returns.
  Seconds save() {
    Seconds const before = now_;
    now_ = std::max(now_, writer_free_);
    writer_free_ = now_ + save_;
    if (profile_.checkpoint.mode == SaveMode::wait) now_ = writer_free_;
    last_save_ = now_;
    ++result_.saves;
    return now_ - before;
  }

  Seconds save_if_due_by_step() {
    ++result_.steps;
    CheckpointSpec const& checkpoint = profile_.checkpoint;
    if (checkpoint.size == Bytes(0)) return Seconds(0);
    bool const by_count =
        checkpoint.every_steps > 0 && std::fmod(result_.steps, checkpoint.every_steps) == 0;
    bool const by_time = checkpoint.every > Seconds(0) && now_ - last_save_ >= checkpoint.every;
    return by_count || by_time ? save() : Seconds(0);
  }

  void save_if_due_by_epoch(int epoch) {
    CheckpointSpec const& checkpoint = profile_.checkpoint;
    if (checkpoint.size == Bytes(0) || checkpoint.every_epochs == 0) return;
    int const first = checkpoint.first_epoch > 0 ? checkpoint.first_epoch : checkpoint.every_epochs;
    if (epoch >= first && (epoch - first) % checkpoint.every_epochs == 0) save();
  }

  /// A job is not over before its last checkpoint is written.
  void finish() {
    CheckpointSpec const& checkpoint = profile_.checkpoint;
    bool const saved_at_end = result_.saves > 0 && last_save_ == now_;
    if (checkpoint.size > Bytes(0) && checkpoint.at_end && !saved_at_end) save();
    now_ = std::max(now_, writer_free_);
    result_.total = now_;
  }

  TrainingSetup const& setup_;
  Profile const& profile_;
  RandomStream stream_;
  EpochPlan plan_;
  Link link_;
  std::vector<Bytes> buckets_;
  Seconds save_;
  Seconds now_, last_save_, writer_free_, first_compute_;
  double read_ = 0;  // samples of this rank so far
  SimulatedTraining result_;
};

}  // namespace

SimulatedTraining simulate_steps(TrainingSetup const& setup, RandomStream stream) {
  return StepByStep(setup, stream).run();
}

}  // namespace gridcast
