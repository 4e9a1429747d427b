// Saving the model: how long one checkpoint takes, when there is one, and its cost for training.
//
//   one           files x open latency + size / write bandwidth
//   waiting       every one costs its time
//   overlapping   max(0, w - I) each, where w is its time and I the interval: the next one waits
//                 for it; and the last one's whole time if it is written when the job ends
// The optimal interval for evictions of mean time M is about sqrt(2 w M) (Young 1974, Comm. ACM
// 17).
//
// Left out: the copy to the host's memory before an overlapped write, restarts (they belong to the
// grid's jobs: sim/engine).
#pragma once

#include "sim/base/units.hpp"
#include "sim/training/setup.hpp"

namespace gridcast::training {

/// Ranks that write.
int writers(TrainingSetup const& setup);

/// Time of one checkpoint.
Seconds save_time(TrainingSetup const& setup);

struct SavePlan {
  int count = 0;       // within the training, the one at its very end included
  Seconds interval;    // from one to the next
  Seconds after_last;  // training left after the last one
  Seconds cost;        // time that all add to the job
  Bytes written;       // by all ranks
  double steps = 0;    // from one to the next, where they come between steps
};

/// `step` and `epoch` are the mean times that training takes for each without checkpoints. `steps`:
/// from one to the next where they come by time, if that is known better than from the means.
SavePlan save_plan(TrainingSetup const& setup, int steps_per_epoch, Seconds step, Seconds epoch,
                   double steps = 0);

}  // namespace gridcast::training
