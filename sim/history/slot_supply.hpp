// The slots that a recorded campaign had. The record shows when the campaign first had one slot,
// two slots, ... at a time. Each of them then serves one job after the other, with a pause between
// them (the negotiator, other users' jobs). The pause is the value with which list scheduling of
// the recorded attempts begins the last job when the record does, at most the longest wait in the
// queue. It is zero where no such pause changes the last start: that job found a free slot.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/history/recorded_jobs.hpp"

namespace gridcast::history {

struct SlotSupply {
  std::vector<Seconds> first_free;  // of each slot, since the first submission, ascending
  Seconds pause;                    // from the end of an attempt to the next one in the slot
};

/// A recorded campaign that forecasts repeat.
struct RecordedCampaign {
  RecordedJobs jobs;
  SlotSupply slots;
};

/// When the campaign first had one slot, two slots, ... at a time.
std::vector<Seconds> first_free_slots(RecordedJobs const& recorded);

/// O(n log n) in the attempts. A record whose jobs had no slot has no supply.
SlotSupply slot_supply(RecordedJobs const& recorded);

}  // namespace gridcast::history
