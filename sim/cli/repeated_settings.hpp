// Settings of a submit file that jobs which repeat a record cannot show: they run in its slots.
#pragma once

#include <filesystem>

#include "sim/cli/submit_scenario.hpp"

namespace gridcast::cli {

/// Hosts that the requirements exclude are avoided, if the record has them. A note for each setting
/// that differs from the record's submit file without an effect. Nothing where jobs do not repeat
/// the record of the calibration.
void fit_to_record(import::SubmitImport& import, ImportSubmitOptions const& options,
                   Sources const& sources);

}  // namespace gridcast::cli
