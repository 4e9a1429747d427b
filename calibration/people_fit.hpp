// What people do with held jobs: how long until they release one, how often they do, and after how
// many holds they remove it instead.
#pragma once

#include <cstddef>

#include "calibration/attempt_record.hpp"
#include "calibration/estimate.hpp"
#include "calibration/posterior.hpp"

namespace gridcast::calibration {

/// `between_campaigns`: sd of ln(mean delay) from one campaign to the next, in the draws.
Fit people_fit(AttemptRecords const& records, double between_campaigns, std::size_t draws,
               RandomStreams const& streams);

}  // namespace gridcast::calibration
