#include "tests/training/step_by_step.hpp"

#include <algorithm>
#include <cmath>

#include "sim/training/input_pipeline.hpp"

namespace gridcast::training {
namespace {

class StepByStep {
 public:
  StepByStep(TrainingSetup const& setup, RandomStream stream)
      : setup_(setup),
        profile_(setup.profile),
        costs_(setup, stream),
        plan_(epoch_plan(setup)),
        save_(save_time(setup)),
        unhidden_(unhidden(setup)) {}

  SimulatedTraining run() {
    start();
    for (int epoch = 1; epoch <= train().epochs; ++epoch) run_epoch(epoch);
    finish();
    return result_;
  }

 private:
  scenario::TrainSpec const& train() const { return profile_.train; }
  bool reads(scenario::ReadWhen when) const { return profile_.reader.when == when; }

  void start() {
    scenario::ReaderSpec const& reader = profile_.reader;
    now_ = profile_.compute.start + staging_time(setup_);
    for (int i = 0; i < train().warm_up_steps; ++i) {
      now_ += step(train().batch) * train().warm_up_slowdown;
    }
    if (reads(scenario::ReadWhen::job_start)) {
      now_ += bulk_read_time(setup_, setup_.storage, setup_.bulk_samples(), 0);
    }
    now_ += read_time(setup_.storage, reader, reader.start_read_size) * reader.start_reads;
    last_save_ = now_;
  }

  Seconds step(double samples) { return costs_.step(samples); }

  Seconds load(Loader const& loader, int batch, double samples, double cached) {
    Seconds const alone = loader.alone + costs_.opening(loader, read_, samples, cached);
    read_ += samples;
    Seconds const together = load_of_batch(loader, plan_, batch);
    return std::max(alone, together > loader.alone ? together : Seconds(0));
  }

  void run_epoch(int number) {
    double const cached = cached_share(setup_, number);
    if (reads(scenario::ReadWhen::epoch_start)) {
      now_ += bulk_read_time(setup_, setup_.storage, setup_.bulk_samples(), cached);
    }
    run_steps(cached);
    scenario::ComputeSpec const& compute = profile_.compute;
    now_ += compute.epoch_overhead + validation_time(setup_);
    if (setup_.gpus > 1) now_ += compute.group_overhead;
    save_if_due_by_epoch(number);
  }

  void run_steps(double cached) {
    Loader const full = make_loader(setup_, train().batch, cached);
    Loader const last = make_loader(setup_, plan_.rest, cached);
    BatchQueue queue(full.lanes, full.depth, now_ - paused_);
    lost_ = full.lanes > 0 ? lost_to_checkpoint(setup_, full) : Seconds(0);
    Seconds const begin = now_;
    Seconds computing, first, saving;
    for (int i = 0; i < plan_.steps(); ++i) {
      bool const whole = i < plan_.full;
      double const samples = whole ? train().batch : plan_.rest;
      Seconds taken = now_;
      if (reads(scenario::ReadWhen::each_step)) {
        Seconds const needed = load(whole ? full : last, i, samples, cached);
        taken = std::max(now_, queue.ready(needed, now_ - paused_) + paused_);
        queue.take(taken - paused_);
        taken += unhidden_;
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
    result_.add_epoch({total, total - computing,
                       utilisation(total, computing, first, first_compute_, plan_.steps())},
                      train().epochs);
  }

  /// Training stands still for the returned time.
  Seconds save() {
    Seconds const before = now_;
    now_ = std::max(now_, writer_free_);
    writer_free_ = now_ + save_;
    if (profile_.checkpoint.mode == scenario::SaveMode::wait) now_ = writer_free_;
    last_save_ = now_;
    ++result_.saves;
    return now_ - before;
  }

  Seconds save_if_due_by_step() {
    ++result_.steps;
    scenario::CheckpointSpec const& checkpoint = profile_.checkpoint;
    if (checkpoint.size == Bytes(0)) return Seconds(0);
    bool const by_count =
        checkpoint.every_steps > 0 && std::fmod(result_.steps, checkpoint.every_steps) == 0;
    bool const by_time = checkpoint.every > Seconds(0) && now_ - last_save_ >= checkpoint.every;
    if (!by_count && !by_time) return Seconds(0);
    paused_ += lost_;
    return save();
  }

  void save_if_due_by_epoch(int epoch) {
    scenario::CheckpointSpec const& checkpoint = profile_.checkpoint;
    if (checkpoint.size == Bytes(0) || checkpoint.every_epochs == 0) return;
    int const first = checkpoint.first_epoch > 0 ? checkpoint.first_epoch : checkpoint.every_epochs;
    if (epoch >= first && (epoch - first) % checkpoint.every_epochs == 0) save();
  }

  /// A job is not over before its last checkpoint is written.
  void finish() {
    scenario::CheckpointSpec const& checkpoint = profile_.checkpoint;
    bool const saved_at_end = result_.saves > 0 && last_save_ == now_;
    if (checkpoint.size > Bytes(0) && checkpoint.at_end && !saved_at_end) save();
    now_ = std::max(now_, writer_free_);
    result_.total = now_;
  }

  TrainingSetup const& setup_;
  scenario::Profile const& profile_;
  StepCosts costs_;
  EpochPlan plan_;
  Seconds save_;
  Seconds unhidden_;
  Seconds now_, last_save_, writer_free_, first_compute_;
  Seconds paused_, lost_;  // readers' time taken by checkpoints; one of them
  double read_ = 0;        // samples of this rank so far
  SimulatedTraining result_;
};

}  // namespace

SimulatedTraining simulate_steps(TrainingSetup const& setup, RandomStream stream) {
  return StepByStep(setup, stream).run();
}

}  // namespace gridcast::training
