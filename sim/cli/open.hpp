// gridcast open, as main adds it.
#pragma once

#include "sim/cli/command_line.hpp"

namespace gridcast::cli {

void add_open(Verb& program);

}  // namespace gridcast::cli
