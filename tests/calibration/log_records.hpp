// Records of event logs, made by hand.
#pragma once

#include "calibration/records/attempt_record.hpp"

namespace gridcast::test {

/// Sites A (slots 0 and 1 of one pilot) and B (slots 2 and 3 of another).
inline history::JobHistory two_sites() {
  history::JobHistory history;
  history.sites = {"A", "B"};
  history.slots = {"slot1_1@glidein_1@host", "slot1_2@glidein_1@host", "slot1_1@glidein_2@host",
                   "slot1_2@glidein_2@host"};
  return history;
}

/// The first attempt of a job, in a slot of two_sites(), without an end as yet.
inline calibration::AttemptRecord attempt_at(std::size_t job, std::size_t slot, double start,
                                             double end) {
  calibration::AttemptRecord attempt;
  attempt.job = Id<history::Job>(job);
  attempt.number = 1;
  attempt.site = Id<history::Site>(slot / 2);
  attempt.slot = static_cast<std::uint32_t>(slot);
  attempt.slot_known = true;
  attempt.start = Seconds(start);
  attempt.end = Seconds(end);
  return attempt;
}

/// It executed from `executing` on and ended well, the slot being free at once.
inline calibration::AttemptRecord done_at(std::size_t job, std::size_t slot, double start,
                                          double executing, double end) {
  calibration::AttemptRecord attempt = attempt_at(job, slot, start, end);
  attempt.executing = Seconds(executing);
  attempt.exit = attempt.end;
  attempt.tail = Seconds(end - executing);
  attempt.end_kind = history::EventKind::terminated;
  return attempt;
}

}  // namespace gridcast::test
