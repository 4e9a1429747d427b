// One step of synchronous data-parallel training, without waiting for data.
//
//   step = (forward + backward) x straggler(n) + what the exchange adds + optimizer
//   forward + backward = (overhead + batch x per sample) x (GPU measured / GPU asked for)
// The time per sample is the measured step's, less the overhead, over its batch.
//
// Left out: memory (a batch that does not fit), mixed precision as a choice of its own, pipeline
// and tensor parallelism.
#pragma once

#include "sim/base/units.hpp"
#include "sim/training/setup.hpp"

namespace gridcast::training {

struct StepTime {
  Seconds forward, backward;
  Seconds straggling;  // what the slowest rank adds
  Seconds exchange;    // what sticks out behind the backward pass
  Seconds optimizer;

  Seconds compute() const { return forward + backward; }
  Seconds total() const { return compute() + straggling + exchange + optimizer; }
};

/// Forward and backward pass of so many samples.
Seconds compute_time(TrainingSetup const& setup, double samples);
StepTime step_time(TrainingSetup const& setup, double samples);
/// Of the samples of a rank's share of the validation data: the forward pass alone.
Seconds validation_time(TrainingSetup const& setup);

}  // namespace gridcast::training
