// What is told of a deadline: in how many of the campaigns enough jobs have succeeded by then.
#pragma once

#include <string>

#include "sim/report/data/result.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {

/// A sentence for one strategy, a line each for several; empty where no deadline is asked about.
std::string deadline_text(Result const& result, Screen const& screen);

}  // namespace gridcast::report
