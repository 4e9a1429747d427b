// The gaps between what jobs and slots do, as a log of dates shows them: match, setup, teardown,
// checkpoint, requeue, reconnection, suspension, and how long a site is without a dead pilot.
#pragma once

#include <cstddef>

#include "calibration/attempt_record.hpp"
#include "calibration/delay_fit.hpp"
#include "calibration/estimate.hpp"
#include "calibration/posterior.hpp"

namespace gridcast::calibration {

/// From the later of "the slot is free" and "jobs are idle" to the start of the attempt there.
std::vector<Delay> match_delays(AttemptRecords const& records);

Fit gaps_fit(history::JobHistory const& history, AttemptRecords const& records, std::size_t draws,
             RandomStreams const& streams);

}  // namespace gridcast::calibration
