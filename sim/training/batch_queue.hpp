// Batches of one epoch on their way from the store to training, one after the other:
//
//   ready(i) = max(lane free, batch i - depth taken) + load
//   taken(i) = max(ready(i), training free)
//
// With steps of one length that is the closed form of input_pipeline.hpp. What that cannot say is
// what a checkpoint between two steps does: training stands still, readers go on until the buffer
// is full, and training waits less for the batches that follow.
#pragma once

#include <vector>

#include "sim/training/input_pipeline.hpp"

namespace gridcast::training {

class BatchQueue {
 public:
  BatchQueue(int lanes, int depth, Seconds now);

  /// When the next batch is ready, if loading takes `load` and training asks at `asked`.
  Seconds ready(Seconds load, Seconds asked);
  void take(Seconds at) { taken_[next_++ % taken_.size()] = at; }

 private:
  std::vector<Seconds> lane_free_;
  std::vector<Seconds> taken_;
  bool waits_for_training_;  // there is no prefetching
  std::size_t next_ = 0;
};

/// What a lane needs for that batch of the epoch: lanes that the store keeps waiting read in
/// rounds, the last of which may have fewer batches.
Seconds load_of_batch(Loader const& loader, EpochPlan const& plan, int batch);

/// What readers lose of their time while a checkpoint is written to the store that they read. Of
/// the bandwidth of the link that they share they want u = min(1, W x bytes / (L x share)), and the
/// checkpoint takes v:
///   lost = w x clamp((u + v - 1) / u, 0, 1)
Seconds lost_to_checkpoint(TrainingSetup const& setup, Loader const& loader);

/// Training stands still for `time` after each `every`-th step, `before` of which came in earlier
/// epochs, and readers for `lost`. With `after`, it does so at the first step's end that is so long
/// after the last stall instead, `since` of which had gone by when the epoch began.
struct Stall {
  double every = 0;
  double before = 0;
  Seconds time;
  Seconds lost = {};
  Seconds after = {};
  Seconds since = {};
};

struct StalledSteps {
  Seconds waiting;  // for batches; the stalls themselves are left out
  int stalls = 0;
  int last = 0;   // the step that the last of them came after; 0: there was none
  Seconds since;  // the last of them, at the epoch's end
};

/// An epoch with such stalls.
StalledSteps stalled_steps(EpochPlan const& plan, Loader const& full, Loader const& last,
                           Seconds step, Seconds last_step, Stall const& stall);

}  // namespace gridcast::training
