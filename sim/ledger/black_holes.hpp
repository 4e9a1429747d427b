// Hosts that take job after job and let each fail: black holes. More than half of a host's
// attempts failed, and at least twice as large a share as on all hosts that are none. (A few black
// holes take most attempts, and would hide each other.) By Fisher's exact test, chance gives that
// with less than 0.001, divided by the number of hosts (Bonferroni). An attempt failed if it ended
// in any other way than with a result of use, except that its owner removed it. Attempts elsewhere
// that continue, for twice as long as the host's longest failure, count there as ended without a
// failure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/history/attempt_stream.hpp"
#include "sim/history/attempts.hpp"
#include "sim/history/job_history.hpp"
#include "sim/history/recorded_jobs.hpp"

namespace gridcast::ledger {

struct HostAttempts {
  std::string host, site;  // an address where the record has no name
  std::size_t ended = 0, failed = 0;
  Seconds lost = {};     // slot time of those that failed
  Seconds longest = {};  // ... of one

  double share() const { return static_cast<double>(failed) / static_cast<double>(ended); }
};

struct BlackHoles {
  std::vector<HostAttempts> hosts;  // that cost most first
  HostAttempts all;                 // of all hosts
  std::size_t hosts_seen = 0;
};

/// Counts the attempts of each slot while a campaign's events pass.
class SlotOutcomes {
 public:
  SlotOutcomes();
  /// A step of a stream with the rule `slot_time`.
  void add(history::AttemptStep const& step) {
    latest_ = std::max(latest_, step.event.at);
    follower_.add(step);
  }
  /// `source` gives the names of hosts and sites; its events are not read.
  BlackHoles black_holes(history::JobHistory const& source);

 private:
  void count(history::Attempt const& attempt);

  struct Slot {
    HostAttempts attempts;
    Id<history::Site> site;
  };
  history::AttemptFollower follower_;
  std::map<std::uint32_t, Slot> slots_;                  // by JobEvent::slot
  Seconds latest_;                                       // event
  std::vector<std::pair<std::uint32_t, Seconds>> open_;  // the slot and the match of attempts
};

BlackHoles find_black_holes(history::JobHistory const& history);
/// The same of the jobs of a record, by the names of its hosts.
BlackHoles find_black_holes(history::RecordedJobs const& recorded);

/// The submit file's expression to avoid these hosts: "(Machine != \"n1\") && ..."; may be empty.
std::string requirements_without(std::vector<HostAttempts> const& hosts);

}  // namespace gridcast::ledger
