// The slots that a campaign has had, and whether its jobs wait for them.
//
// A pool is full for the campaign if the jobs in slots, averaged over the time of the later half
// of all changes, are three quarters of their maximum or more. Then a job that waits for its first
// slot gets one when another job is over, after a gap as in the record: from the last end of an
// attempt that no start has followed to the start of the next one. The number of slots to come is
//
//   K = most exp(0.25 Z), Z normal
//
// Otherwise something else paces the starts, and they follow start_law.hpp. A job keeps its slot
// until it is over, also while it waits or is held.
//
// Example: 80 jobs, 16 slots. Each start after the first 16 follows the end of an attempt
// by 1 to 3 s.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/running/running_campaign.hpp"

namespace gridcast::running {

struct SlotUse {
  std::size_t most = 0;            // jobs in slots at a time
  double share = 0;                // of these, on average
  std::vector<Seconds> gaps = {};  // from an end to the next start

  bool full() const;
};

SlotUse slot_use(RunningCampaign const& campaign);

/// The slots of one future, as jobs take them one after the other.
class SlotQueue {
 public:
  /// `ends`: of the jobs that have slots now, after now.
  SlotQueue(SlotUse const& use, std::vector<Seconds> ends, RandomStream stream);

  /// The time after now of the next start.
  Seconds next_start();
  /// The job that started is over.
  void give_back(Seconds at);

 private:
  SlotUse const& use_;
  RandomStream stream_;
  std::vector<Seconds> free_;  // a heap, the earliest first
};

}  // namespace gridcast::running
