// A training job to be timed: a profile, the requested values in place of its own, and the hardware
// these name, looked up and checked.
//
// Strong scaling keeps the data set and the batch of a GPU: more GPUs, fewer steps, a larger global
// batch. Weak scaling lets the data set grow with the GPUs. Multi-node jobs need a machine that is
// a cluster; a slot of the pool is one node (HTCondor's vanilla universe), all or nothing.
#pragma once

#include <optional>
#include <string>

#include "sim/base/units.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/profile.hpp"

namespace gridcast::training {

/// Changes of a profile; an empty value keeps its own.
struct TrainingRequest {
  std::optional<int> gpus, nodes, batch, epochs;
  std::string gpu, machine, storage, stage;
  bool weak = false;
};

struct Ranks {
  int gpus = 1;
  int nodes = 1;
  double on_node() const { return static_cast<double>(gpus) / nodes; }
};

struct TrainingSetup {
  scenario::Profile profile;  // with the requested batch and epochs
  int gpus = 1;
  int nodes = 1;
  double samples = 0;        // of an epoch, all ranks together
  int measured_batch = 1;    // to which the profile's step time belongs
  double gpu_factor = 1;     // compute time on the requested GPU / on the profile's
  double gpu_variation = 0;  // sd of the factor's logarithm
  std::string gpu;
  scenario::MachineSpec machine;
  scenario::StorageSpec storage;                // that the ranks read while training
  std::optional<scenario::StorageSpec> source;  // from where it is copied to `storage` first
  scenario::StorageSpec save_to;
  bool weak = false;
  int measured_epochs = 1;  // of the profile's measured runs

  int gpus_per_node() const { return (gpus + nodes - 1) / nodes; }
  Ranks ranks() const { return {gpus, nodes}; }
  /// Reads of one rank at a time, if it does not read step by step: its share, or all.
  double bulk_samples() const { return profile.reader.all_read_all ? samples : samples / gpus; }
};

/// InputError with everything that does not fit.
TrainingSetup training_setup(scenario::Profile const& profile, scenario::Hardware const& hardware,
                             TrainingRequest const& request);

/// The same job on one GPU.
TrainingSetup on_one_gpu(TrainingSetup setup);

/// The steps of an epoch on one rank.
struct EpochPlan {
  int full = 0;     // of a whole batch each
  double rest = 0;  // samples of an incomplete last one; 0: none
  int steps() const { return full + (rest > 0 ? 1 : 0); }
  double samples(int batch) const { return static_cast<double>(full) * batch + rest; }
};
EpochPlan epoch_plan(TrainingSetup const& setup);

/// Data that one node reads in an epoch, and has to hold if it is to read from its own disk.
Bytes node_share(TrainingSetup const& setup);
Bytes node_holding(TrainingSetup const& setup);

}  // namespace gridcast::training
