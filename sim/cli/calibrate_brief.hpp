// The twelve lines of calibrate: how much the record determines, and the least certain parameters.
#pragma once

#include <cstddef>
#include <string>

#include "calibration/fits/estimate.hpp"

namespace gridcast::cli {

/// `jobs`: of the record.
std::string brief_calibration(calibration::Fit const& fit, std::size_t jobs);

}  // namespace gridcast::cli
