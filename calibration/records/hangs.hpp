// Programs that hang: they compute, or wait for each other, and never end, until a limit, a person or the
// loss of the slot ends them. A record shows it where an execution went on for much longer than all that
// ended there by themselves.
#pragma once

#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

/// Marks executions that something else ended, at a site where five or more ended by themselves: those
/// whose ln t is above the mean of these by five of their standard deviations, and by ln 1.25 at least
/// (each relative to its program's work). Programs that checkpoint show it otherwise, and are left out.
void mark_hangs(AttemptRecords& records);

}  // namespace gridcast::calibration
