// The answer of `gridcast optimize` in words: twelve lines, or with --details all of its evidence.
#pragma once

#include <string>

#include "sim/optimize/optimum.hpp"
#include "sim/report/text/characters.hpp"

namespace gridcast::report {

std::string brief_optimum(optimize::Optimum const& optimum, Screen const& screen);
std::string optimum_text(optimize::Optimum const& optimum, Screen const& screen);

}  // namespace gridcast::report
