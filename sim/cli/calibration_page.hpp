// A calibration file as part of a page, beside the records that it was made of where they are still
// there.
#pragma once

#include <filesystem>

#include "sim/report/page/calibration_page.hpp"
#include "sim/scenario/calibration.hpp"

namespace gridcast::cli {

report::CalibrationPage calibration_page(scenario::Calibration const& calibration);

}  // namespace gridcast::cli
