// The input pipeline of one rank: readers that prepare batches, a buffer of prefetched ones, and
// the training that takes them. Times are in seconds, sizes in bytes.
//
// The cost of one sample for one reader:
//   a read of z bytes   overhead + (latency + z / rate(z)) / (1 + read-ahead)
//   rate(z)             stream bandwidth x stripes that z covers, clamp(z / stripe size, 1,
//                       stripes)
//   an open             its latency + the library's overhead; samples of a file share one
//   reads of a sample   size / transfer size, whole ones unless reads run on across samples
// A share of the reads may be done twice: prefetched, dropped, and read again when wanted. A sample
// in the page cache costs the library's overhead and a copy.
//
// A lane prepares a batch in L; there are W lanes (PyTorch's workers: a batch each; tf.data's
// threads: one lane, W times as fast), or as many as the prefetch depth lets run. N steps of C take
//   prefetch 0     N (L + C)
//   else           max( L + N C,            first batch, then compute-bound
//                       K L + L' + R C )    reader-bound, K = floor((N - 1) / W), R = N - K W
// so a step takes max(C, L / W) in the long run, and the first batch is always waited for: Little's
// law with W batches under way (Little 1961). R batches are left for the last round of the lanes.
// If m lanes want more than the rank's share of the store's bandwidth, a batch takes m times its
// bytes over that share: L for W lanes (or all N batches, if they are fewer), L' for R.
//
// The closed form has no checkpoint between two steps: training stands still, readers go on until
// the buffer is full, and training waits less for the batches that follow. For that, batches are
// followed one after the other:
//   ready(i) = max(lane free, batch i - depth taken) + load
//   taken(i) = max(ready(i), training free)
//
// Left out: locks of shared files, metadata servers that slow down under load.
#pragma once

#include <vector>

#include "sim/base/units.hpp"
#include "sim/training/setup.hpp"

namespace gridcast::training {

/// A copy out of the page cache by one thread; assumed.
inline constexpr BytesPerSecond memory_copy(5e9);

struct ReadCost {
  double reads = 0;
  double opens = 0;
  Bytes size;   // of one read
  Bytes bytes;  // of all reads
  Seconds io;   // in calls
  Seconds decode;
  Seconds total() const { return io + decode; }
};

/// How long one read of that size takes on a store that nobody else uses.
Seconds read_time(scenario::StorageSpec const& storage, scenario::ReaderSpec const& reader,
                  Bytes size);

/// The cost of one sample, which comes from the page cache in a share `cached` of the cases.
ReadCost sample_cost(TrainingSetup const& setup, scenario::StorageSpec const& storage,
                     double cached);

/// Time of a step that prefetching does not hide; 0 where nothing is read step by step.
Seconds unhidden(TrainingSetup const& setup);

/// One rank's share of the store's bandwidth when all read; infinite if nothing is shared.
BytesPerSecond rank_share(TrainingSetup const& setup, scenario::StorageSpec const& storage);

/// Share of an epoch's reads (from 1) that the page cache answers. In the same order again and
/// again, least recently used gives nothing unless all fits; in random order it gives its content,
/// once that has been read.
double cached_share(TrainingSetup const& setup, int epoch);

struct Loader {
  Seconds alone;   // time of a lane for one batch, were the bandwidth not shared
  Seconds shared;  // the same for its bytes alone, at all of the rank's share of the bandwidth
  Seconds load;    // with all lanes running
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

class BatchQueue {
 public:
  BatchQueue(int lanes, int depth, Seconds now);

  /// When the next batch is ready, if loading takes `load` and training requests it at `request`.
  Seconds ready(Seconds load, Seconds request);
  void take(Seconds at) { taken_[next_++ % taken_.size()] = at; }

 private:
  std::vector<Seconds> lane_free_;
  std::vector<Seconds> taken_;
  bool waits_for_training_;  // there is no prefetching
  std::size_t next_ = 0;
};

/// Loading time of a lane for that batch of the epoch: lanes that the store keeps waiting read in
/// rounds, the last of which may have fewer batches.
Seconds load_of_batch(Loader const& loader, EpochPlan const& plan, int batch);

/// Time that readers lose while a checkpoint is written to the store that they read. Their share of
/// the bandwidth of the common link is u = min(1, W x bytes / (L x share)), and the checkpoint
/// takes v:
///   lost = w x clamp((u + v - 1) / u, 0, 1)
Seconds lost_to_checkpoint(TrainingSetup const& setup, Loader const& loader);

/// Training stands still for `time` after each `every`-th step, `before` of which came in earlier
/// epochs, and readers for `lost`. With `after`, it does so instead at the end of the first step
/// that is so long after the last stall, `since` of which had gone by when the epoch began.
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
