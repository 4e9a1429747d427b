// Executions of a record in which none ended by itself.
#pragma once

#include <optional>

#include "calibration/fits/estimate.hpp"
#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

/// Speeds and work need executions that ended by themselves. A record without any has at least
/// executions that something else ended: they count as whole ones, and the calibration notes it.
/// InputError for a record without any execution.
std::optional<NotIdentified> complete_executions(AttemptRecords& records);

}  // namespace gridcast::calibration
