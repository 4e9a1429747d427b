// When jobs waited for a site: if a job is idle there, a free slot is taken at once. The slots in
// use were therefore all slots, and a site without jobs had none.
//
// A job with a request that no slot meets waits as well, but is no evidence on slots for others. A
// record does not contain its jobs' requests. But HTCondor gives slots to an owner's jobs in the
// order of their submission: a job that never began, and waited while a later job began at a site,
// was passed over there and did not fit. If a job began at some time, all its waits are for any
// site.
//
// The outcome of jobs whose input did not arrive: HTCondor before 25.6.1 holds them, later ones let
// them cool down, idle and not to be matched for a while (FEATURE:PelicanRetryPolicy).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "calibration/records/attempt_record.hpp"
#include "sim/base/units.hpp"

namespace gridcast::calibration {

struct TimeSpan {
  Seconds from, to;
};

/// In order; those that touch are one.
std::vector<TimeSpan> joined(std::vector<TimeSpan> spans);
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

/// Its job was left in the queue with the code of a failed input transfer: it cools down.
bool cools_down(AttemptRecord const& attempt);

/// The share of failed input transfers that were held; those that the starter's timer ended are
/// hold_on_stall's.
double held_on_failure(AttemptRecords const& records);

struct CoolDown {
  Seconds least, most;
};

/// How long jobs cool down: 5 to 10 min, which HTCondor's policy has, or less where one was matched
/// earlier. None where failed transfers were held at least as often.
std::optional<CoolDown> usual_cool_down(AttemptRecords const& records);

/// The median time in a slot, at least a tick. An unseen wait is taken to last as long.
Seconds usual_attempt(AttemptRecords const& records);

/// How long jobs waited in the mean from their last contact until they were queued again. None if
/// no job was lost.
std::optional<Seconds> mean_wait_of_lost(AttemptRecords const& records);

}  // namespace gridcast::calibration
