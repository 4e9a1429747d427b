// The input pipeline of one rank: readers that prepare batches, a buffer of prefetched ones, and
// the training that takes them. Training waits only when the pipeline starves.
//
// A lane prepares a batch in L; there are W lanes (PyTorch's workers: a batch each; tf.data's
// threads: one lane, W times as fast), or as many as the prefetch depth lets run. Steps take C:
//   prefetch 0     N (L + C)
//   else           max( L + N C,                           first batch, then compute-bound
//                       (K + 1) L + (N - K W) C )          reader-bound, K = floor((N - 1) / W)
// so a step takes max(C, L / W) in the long run, and the first batch is always waited for. Where
// the lanes together want more than the rank's share of the store's bandwidth, L grows to match.
#pragma once

#include "sim/base/units.hpp"
#include "sim/training/read_cost.hpp"
#include "sim/training/setup.hpp"

namespace gridcast {

struct Loader {
  Seconds alone;  // time of a lane for one batch, were the bandwidth not shared
  Seconds load;   // as it is
  int lanes = 1;  // that run at a time; 0: no prefetching
  int depth = 0;  // batches that may be ready or under way ahead of training
  ReadCost sample;
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
Seconds bulk_read_time(TrainingSetup const& setup, StorageSpec const& storage, double samples,
                       double cached);

/// How long it takes to copy the data to the nodes' own stores.
Seconds staging_time(TrainingSetup const& setup);

}  // namespace gridcast
