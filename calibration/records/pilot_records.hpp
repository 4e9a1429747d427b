// Pilots and slots as a log shows them: the startds that its slots belong to, when jobs were there,
// which losses of contact were a pilot's death or the access point's own; and as many slots at each
// site as ever ran jobs at one time. A lower bound where jobs were few.
//
// A pilot that is shut down reports it to its jobs' shadows. A pilot is dead when all jobs on it
// are lost for good, without an answer, and nothing starts on it before. The access point was out
// of reach when at least three jobs, and half of the running jobs, lost contact within 2 s at more
// than one site: no single site caused it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

/// Events within this time have a common cause.
inline constexpr Seconds same_instant(2);

struct PilotRecord {
  std::string name;
  Id<history::Site> site;
  std::vector<std::size_t> attempts;    // in AttemptRecords::attempts, ordered by start
  Seconds seen;                         // with at least one job on it
  int most_jobs = 0;                    // at a time
  std::vector<Seconds> deaths;          // more than one if pilots come back under their name
  std::vector<Seconds> shut_down = {};  // reported by its startd (vacate codes 1012 and 1013)
};

/// Most running jobs lost contact at once, at more than one site: nothing that a site did.
struct AccessPointOutage {
  Seconds at;
  std::optional<Seconds>
      back;  // when the last of those that were found again was; none: no one was
};

struct PilotRecords {
  std::vector<PilotRecord> pilots;
  std::vector<bool> by_pilot;           // of each attempt: it was lost with its pilot
  std::vector<bool> by_outage;          // of each attempt: the access point lost contact with it
  std::vector<int> own_disconnections;  // of each attempt: those that were neither the pilot's
                                        // death nor one of all sites at once
  std::vector<AccessPointOutage> access_point_outages;
};

/// "glidein_3001_1@host" of "slot1_2@glidein_3001_1@host".
std::string pilot_of(std::string const& slot);

std::vector<AccessPointOutage> access_point_outages(AttemptRecords const& records);
/// True if contact that was lost then was lost in one of them.
bool in_outage(std::vector<AccessPointOutage> const& outages, Seconds at);

PilotRecords make_pilot_records(history::JobHistory const& history, AttemptRecords const& records);

struct SlotCount {
  std::string site;
  int slots = 0;
  int slots_per_pilot = 1;
  std::size_t attempts = 0;
  int pilots = 0;          // names of startds
  bool saturated = false;  // jobs waited while all of them were busy: there were no more
  int gpus = 0;            // most of them in use at a time, and on one pilot; 0: unknown
  int gpus_of_pilot = 0;
};

std::vector<SlotCount> count_slots(history::JobHistory const& history,
                                   AttemptRecords const& records);

}  // namespace gridcast::calibration
