// When jobs waited for a site: with an idle job there, a slot that is free is taken, so that slots
// in use were all that there were, and a site without jobs had none to give.
//
// A job that asks for what no slot has waits as well, and tells nothing of slots that are not for
// it. A record does not say what its jobs ask for, but HTCondor hands out slots to an owner's jobs
// in the order in which they came: a job that never began, and waited while one that came after it
// began at a site, was passed over there, and did not fit. Where a job began at some time, all its
// waits are for any site.
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

struct TimeSpan {
  Seconds from, to;
};

/// How much of the time from one moment to another is in spans that are apart and in order.
Seconds time_within(std::vector<TimeSpan> const& spans, Seconds from, Seconds to);

/// Sets Waiting::passed_over.
void mark_passed_over(history::JobHistory const& history, AttemptRecords& records);

class WaitsBySite {
 public:
  explicit WaitsBySite(AttemptRecords const& records);

  /// When any job waited that the site did not pass over: apart from each other, in order.
  std::vector<TimeSpan> at(std::size_t site) const;

 private:
  std::vector<TimeSpan> anywhere_;
  std::vector<Waiting> passed_over_;  // at some site
};

}  // namespace gridcast::calibration
