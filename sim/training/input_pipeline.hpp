// The input pipeline of one rank: readers that prepare batches, a buffer of prefetched ones, and
// the training that takes them. Training waits only when the pipeline starves.
//
// A lane prepares a batch in L; there are W lanes (PyTorch's workers: a batch each; tf.data's
// threads: one lane, W times as fast), or as many as the prefetch depth lets run. Steps take C:
//   prefetch 0     N (L + C)
//   else           max( L + N C,                           first batch, then compute-bound
//                       K L + L' + R C )                   reader-bound, K = floor((N - 1) / W)
// so a step takes max(C, L / W) in the long run, and the first batch is always waited for. R = N -
// K W batches are left for the last round of the lanes. Where m lanes want more than the rank's
// share of the store's bandwidth, a batch takes m times its bytes over that share: L for W lanes
// (or all N batches, if they are fewer), L' for R.
#pragma once

#include "sim/base/units.hpp"
#include "sim/training/read_cost.hpp"
#include "sim/training/setup.hpp"

namespace gridcast::training {

struct Loader {
  Seconds alone;   // time of a lane for one batch, were the bandwidth not shared
  Seconds shared;  // the same for its bytes alone, at all of the rank's share of the bandwidth
  Seconds load;    // as it is, when all lanes run
  int lanes = 1;   // that run at a time; 0: no prefetching
  int depth = 0;   // batches that may be ready or under way ahead of training
  ReadCost sample;

  /// The time of each of so many batches that are loaded at a time.
  Seconds load_of(int batches) const;
};

Loader make_loader(TrainingSetup const& setup, double samples, double cached);

struct StepsTime {
  Seconds total;
  Seconds computing;   // of it
  Seconds first_step;  // loading and computing of the first step: DLIO's metric leaves it out
  Seconds waiting() const { return total - computing; }
};

/// `full` steps of a whole batch, then perhaps one of an incomplete one.
StepsTime steps_time(EpochPlan const& plan, Loader const& full, Loader const& last, Seconds step,
                     Seconds last_step);

/// How long a rank takes to read so many samples before it goes on.
Seconds bulk_read_time(TrainingSetup const& setup, scenario::StorageSpec const& storage,
                       double samples, double cached);

/// How long it takes to copy the data to the nodes' own stores.
Seconds staging_time(TrainingSetup const& setup);

}  // namespace gridcast::training
