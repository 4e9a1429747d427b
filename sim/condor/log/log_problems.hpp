// What the reading of logs and ads has to say of places in their files.
#pragma once

#include <string>

#include "sim/condor/log/read_log.hpp"

namespace gridcast::condor {

/// Of a report's warnings those that have a place: what is wrong there, and what was left out. Ten at the
/// most, and how many more.
std::string problems_text(LogReport const& report);

}  // namespace gridcast::condor
