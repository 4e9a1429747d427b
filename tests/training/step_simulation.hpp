// The costs of single steps of a training job, and the result of its simulation step by step. The
// closed form (sim/training/estimate.hpp) differs in two points: here files are opened when their
// first sample is due, and the slowest rank is drawn (one uniform a step) if the profile has a
// spread.
#pragma once

#include <optional>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"
#include "sim/training/input_pipeline.hpp"
#include "sim/training/setup.hpp"
#include "sim/training/step_time.hpp"

namespace gridcast::training {

/// One draw of the maximum of n independent standard normals, with one uniform.
double draw_max_normal(int n, RandomStream& stream);

/// The costs of single steps: the slowest rank's compute time and the part of the exchange added to
/// it; the time of opening files, added to a batch's loading.
class StepCosts {
 public:
  StepCosts(TrainingSetup const& setup, RandomStream stream);

  /// Time of a step with so many samples on each rank; the slowest rank is drawn if the profile has
  /// a spread.
  Seconds step(double samples);
  /// Beyond the mean opening that is in the loader's time: files are opened when the first of their
  /// samples is due. `before`: samples that the rank has read.
  Seconds opening(Loader const& loader, double before, double samples, double cached) const;

 private:
  TrainingSetup const& setup_;
  RandomStream stream_;
  std::vector<Bytes> buckets_;
};

struct SimulatedEpoch {
  Seconds total;  // of its steps, from the first load to the last step's end
  Seconds waiting;
  double au = 0;  // DLIO's: sum of compute times / time, both without the first step
};

struct SimulatedTraining {
  Seconds total;
  Seconds waiting;
  double au = 0;  // mean of the epochs
  double steps = 0;
  int saves = 0;
  std::vector<SimulatedEpoch> epochs;

  /// One of so many.
  void add_epoch(SimulatedEpoch const& epoch, int of);
};

/// DLIO's accelerator utilisation of an epoch: computing / time, both without the first step.
double utilisation(Seconds total, Seconds computing, Seconds first_step, Seconds first_compute,
                   int steps);

}  // namespace gridcast::training
