// One training job step by step (gridcast train --detail steps): every rank has
// its readers, which prepare batches ahead of training and share the store with those of the other
// ranks; a step begins when all ranks have a batch, and takes as long as the slowest and the
// exchange do; checkpoints are written to the store by one rank or all. It agrees with the closed
// form (sim/training/estimate) within 0.1 % where ranks are alike and nothing else shares the
// store.
//
// Copying data to nodes first is a time by the closed form: nodes do it at the same time.
#pragma once

#include "sim/training/step_simulation.hpp"

namespace gridcast::engine {

/// Once a process where the ranks share two links (SimGrid's platforms cannot be taken down).
training::SimulatedTraining simulate_ranks(training::TrainingSetup const& setup,
                                           RandomStream stream);

}  // namespace gridcast::engine
