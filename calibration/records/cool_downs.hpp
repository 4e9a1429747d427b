// What became of jobs whose input did not arrive: HTCondor before 25.6.1 holds them, later ones let
// them cool down, idle and not to be matched for a while (FEATURE:PelicanRetryPolicy).
#pragma once

#include <optional>

#include "calibration/records/attempt_record.hpp"
#include "sim/base/units.hpp"

namespace gridcast::calibration {

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

}  // namespace gridcast::calibration
