// How long a training job takes and where the time goes, in closed form: the sum of its parts, each
// from the models beside this file (docs/model.md).
//
// An estimate is as sure as its interval: 90 % over the joint values that a profile was fitted to
// (gridcast profile --fit), the factor between GPU models, and the noise of a configuration.
//
//   time(draw) x exp(z sqrt(noise^2 (1 + d) + (f d)^2)),  z standard normal
// d doublings beyond the measured range: of the GPUs, and halvings of the batch (the batch limits
// the parallel work of a GPU: cuDNN's choices). Each brings noise of its own, and all of them the
// error of the models' form, f = 2 % each and all to the same side, as a wrong rate stays wrong (a
// discrepancy of the model: Kennedy & O'Hagan 2001, JRSS B 63). f was chosen on runs of at most 4
// nodes and on the Kempner and HPML tables (docs/model.md). The waiting of a fitted store has the
// noise, noise sqrt(1 + d). The normals are points that fill the unit cube evenly (Halton 1960),
// not random ones: the same profile gives the same interval.
//
// A profile that nobody fitted has no interval, except for another GPU than its own.
#pragma once

#include <optional>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/base/units.hpp"
#include "sim/training/input_pipeline.hpp"
#include "sim/training/setup.hpp"
#include "sim/training/step_time.hpp"

namespace gridcast::training {

/// Seconds of the job, by their use. They add up to the whole.
struct TimeParts {
  Seconds start;    // unpacking, imports
  Seconds staging;  // copying the data to the node first
  Seconds warm_up;
  Seconds reading;    // before training, or before each epoch
  Seconds waiting;    // for batches
  Seconds computing;  // forward and backward
  Seconds straggling;
  Seconds exchange;
  Seconds optimizer;
  Seconds epoch_overhead;
  Seconds validation;
  Seconds saving;

  Seconds total() const;
};

/// So many reads of that size, of all ranks together.
struct Operations {
  Bytes size;
  double count = 0;
};

struct TrainingEstimate {
  TimeParts parts;
  Seconds total;
  Seconds epoch;             // mean, without the parts that come once a job
  double steps = 0;          // of an epoch
  StepTime step;             // of a whole batch
  Seconds step_mean;         // with its waiting
  Seconds supply;            // time the pipeline needs for a batch in the long run
  double samples_per_s = 0;  // trained samples of all ranks / total
  double efficiency = 1;     // samples_per_s / (GPUs x that of one GPU)
  double io_share = 0;       // time in I/O calls of a rank / total, as Darshan counts
  double wait_share = 0;     // training's waits for I/O / total
  double au = 0;             // DLIO's accelerator utilisation, mean of the epochs
  Bytes from_store, from_cache, written;
  double opens = 0;
  std::vector<Operations> reads;  // the sizes that are read, all ranks
  int saves = 0;
  Seconds save;  // one checkpoint
  SavePlan plan;
  double global_batch = 0;
  double learning_rate = 0;  // by the linear rule (Goyal et al. 2017); 0: none known
};

TrainingEstimate estimate_training(TrainingSetup const& setup);

/// Seconds, and shares.
struct TrainingInterval {
  Interval epoch, total, samples_per_s, au;
};

/// d of so many times as many GPUs as were measured and a batch so many times smaller; no less than
/// 0.
double doublings_beyond(double gpus, double batch);
/// sd of ln(time) of a configuration that many doublings beyond, where a draw's noise is that.
double forecast_sd(double noise, double doublings);

/// The job in the draw whose epoch is the median of all draws': the middle of a fitted profile;
/// efficiency, beside the median of one GPU. No single draw is in the middle for every
/// question: different rows, or none, determine the cost of a small batch and that of many
/// nodes.
struct TypicalTraining {
  TrainingSetup setup;
  TrainingEstimate estimate;
};
TypicalTraining typical_training(TrainingSetup const& setup);

/// Puts such values in place of the profile's. Another machine's links, and another store, keep
/// theirs. `slower`: factor of the waiting.
void put(TrainingSetup& setup, scenario::StepDraw const& draw);
void put(TrainingSetup& setup, scenario::StoreDraw const& draw, double slower = 1);

std::optional<TrainingInterval> training_interval(TrainingSetup const& setup);

/// The job's times if that were true of it. One of several, evenly spread; 1 where nothing is
/// known.
struct PossibleSetup {
  TrainingSetup setup;
  double slower = 1;  // than the models' value
};
/// One of them, u in (0, 1) saying which: the world that a replica lives in.
PossibleSetup possible_setup(TrainingSetup const& setup, double u);

}  // namespace gridcast::training
