// A calibration file as part of a page, beside the records that it was made of where they are still
// there.
#pragma once

#include <filesystem>

#include "sim/report/calibration_section.hpp"
#include "sim/scenario/calibration.hpp"

namespace gridcast::cli {

report::CalibrationPage calibration_page(scenario::Calibration const& calibration);

}  // namespace gridcast::cli
