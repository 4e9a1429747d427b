// How sure an estimate is: 90 % intervals over the joint values that a profile was fitted to
// (gridcast train --fit), the factor between GPU models, and the noise of a configuration.
//
//   time(draw) x exp(noise z sqrt(1 + doublings)),  z standard normal
// with as many doublings as there are more GPUs, and smaller batches, than were measured (what a GPU can
// do at a time hangs on the batch: cuDNN's choices), as if each brought its own; and the same for the
// waiting of a fitted store. The normals are points that fill
// the unit cube evenly (Halton 1960), not random ones: the same profile gives the same interval.
//
// A profile that nobody fitted has no interval, unless it is asked about another GPU than its own.
#pragma once

#include <optional>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/training/setup.hpp"

namespace gridcast::training {

/// Seconds, and shares.
struct TrainingInterval {
  Interval epoch, total, samples_per_s, au;
};

/// What the noise is multiplied by, so many times as many GPUs as were measured and a batch so many
/// times smaller; no less than 1.
double noise_beyond(double gpus, double batch);

std::optional<TrainingInterval> training_interval(TrainingSetup const& setup);

/// The job's times if that were true of it. One of several, evenly spread; 1 where nothing is known.
struct PossibleSetup {
  TrainingSetup setup;
  double slower = 1;  // than the models say
};
std::vector<PossibleSetup> possible_setups(TrainingSetup const& setup, std::size_t most);
/// One of them, u in (0, 1) saying which: the world that a replica lives in.
PossibleSetup possible_setup(TrainingSetup const& setup, double u);

}  // namespace gridcast::training
