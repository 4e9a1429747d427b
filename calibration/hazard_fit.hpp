// What ends or interrupts attempts at each site, as rates while claimed and probabilities,
// partially pooled: crash, eviction, lost contact and whether it comes back, suspension, the
// pilot's death. Competing risks: each cause is fitted with all others as censoring (Kalbfleisch &
// Prentice 8.2).
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/attempt_record.hpp"
#include "calibration/estimate.hpp"
#include "calibration/posterior.hpp"

namespace gridcast::calibration {

/// `typical_times`: whole-job seconds at each site, for the share of its risk that a crash had
/// before something else ended the execution.
Fit hazard_fit(history::JobHistory const& history, AttemptRecords const& records,
               std::vector<double> const& typical_times, std::size_t draws,
               RandomStreams const& streams);

}  // namespace gridcast::calibration
