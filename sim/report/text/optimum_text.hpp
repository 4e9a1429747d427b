// The answer of `gridcast optimize`: in twelve lines, with all of its evidence (--details), or as
// JSON ("gridcast.optimum/1").
#pragma once

#include <string>

#include "sim/optimize/optimum.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {

std::string brief_optimum(optimize::Optimum const& optimum, Screen const& screen);
std::string optimum_text(optimize::Optimum const& optimum, Screen const& screen);

std::string optimum_json(optimize::Optimum const& optimum);

}  // namespace gridcast::report
