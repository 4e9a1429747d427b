// The pool as far as a campaign's log shows it: sites by name, as many slots at each as ever ran
// jobs at one time, and how many of them share a pilot. A lower bound where jobs were few.
#pragma once

#include <string>
#include <vector>

#include "calibration/attempt_record.hpp"

namespace gridcast::calibration {

struct SlotCount {
  std::string site;
  int slots = 0;
  int slots_per_pilot = 1;
  std::size_t attempts = 0;
  int pilots = 0;          // names of startds
  bool saturated = false;  // jobs waited while all of them were busy: there were no more
};

std::vector<SlotCount> count_slots(history::JobHistory const& history,
                                   AttemptRecords const& records);

/// A pool file; `policy_interval` of the access point.
std::string pool_yaml(std::vector<SlotCount> const& slots, std::string const& command,
                      Seconds policy_interval);

}  // namespace gridcast::calibration
