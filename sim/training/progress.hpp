// A job's training as a campaign sees it: work that grows with time, is safe up to the last
// checkpoint, and starts again from there after an eviction. Closed form of the job's estimate, so
// that an execution stays one timer.
//
//   an execution = once (start, copying, first reading) + work left + its checkpoints
// Work is training time without checkpoints, [0, work]; it is saved at `first` and every `interval`
// after, at the cost `save` each. After an eviction at execution time t the job resumes with
// saved_work(t).
//
// Left out: part of an epoch's reading that a job repeats when it resumes within one; the page
// cache's warming up, which is spread evenly over the work.
#pragma once

#include "sim/base/units.hpp"
#include "sim/training/estimate.hpp"

namespace gridcast::training {

struct TrainingWork {
  Seconds once;      // of each execution, before work begins
  Seconds work;      // all of it
  Seconds first;     // work at the first checkpoint
  Seconds interval;  // from one checkpoint to the next; 0: none before the end
  Seconds save;      // what a checkpoint adds
  Seconds at_end;    // what saving at the end adds
  Seconds written;   // from a checkpoint's beginning until it can be resumed from

  /// Time of an execution that resumes with so much work done, to the end of the job.
  Seconds execution(Seconds done) const;
  /// Checkpoints in (0, done].
  double checkpoints(Seconds done) const;
  /// Work that is safe when an execution that resumed with `done` is evicted after `elapsed`: what
  /// the last checkpoint that was completely written holds.
  Seconds saved_work(Seconds done, Seconds elapsed) const;
};

/// Its execution(0) is the estimate's total.
TrainingWork training_work(TrainingSetup const& setup);

}  // namespace gridcast::training
