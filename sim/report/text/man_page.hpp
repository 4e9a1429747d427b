// The manual page, gridcast(1), in the man macros of roff (man 7 man).
#pragma once

#include <string>

#include "sim/report/text/command.hpp"

namespace gridcast::report {

/// The same on every machine: without what defaults are computed, without a date.
std::string man_page(Command const& program, std::string const& version);

}  // namespace gridcast::report
