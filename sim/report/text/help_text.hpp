// What `gridcast VERB --help` shows.
#pragma once

#include <string>

#include "sim/report/text/command.hpp"
#include "sim/report/text/screen.hpp"

namespace gridcast::report {

std::string help_text(Command const& command, Screen const& screen);

}  // namespace gridcast::report
