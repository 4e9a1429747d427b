// The answer of `gridcast optimize` as JSON: "gridcast.optimum/1".
#pragma once

#include <string>

#include "sim/optimize/optimum.hpp"

namespace gridcast::report {

std::string optimum_json(optimize::Optimum const& optimum);

}  // namespace gridcast::report
