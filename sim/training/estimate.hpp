// How long a training job takes and where the time goes, in closed form: the sum of its parts, each
// from the models beside this file (docs/model.md). A campaign on the grid pays for it with one
// timer: `training_time` is all that the engine needs to know of a profile.
#pragma once

#include <vector>

#include "sim/base/units.hpp"
#include "sim/training/checkpoint.hpp"
#include "sim/training/setup.hpp"
#include "sim/training/step_time.hpp"

namespace gridcast::training {

/// Seconds of the job, by what they go to. They add up to the whole.
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
  Seconds epoch;             // mean, what comes once a job left out
  double steps = 0;          // of an epoch
  StepTime step;             // of a whole batch
  Seconds step_mean;         // with its waiting
  Seconds supply;            // time the pipeline needs for a batch in the long run
  double samples_per_s = 0;  // trained samples of all ranks / total
  double efficiency = 1;     // samples_per_s / (GPUs x that of one GPU)
  double io_share = 0;       // time in I/O calls of a rank / total, as Darshan counts
  double wait_share = 0;     // what training waits for I/O / total
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

/// The execution time of a job with this profile: what the engine sets its timer to.
Seconds training_time(scenario::Profile const& profile, scenario::Hardware const& hardware,
                      TrainingRequest const& request);

}  // namespace gridcast::training
