// The verbs of studies that others play.
#pragma once

#include "sim/cli/command_line.hpp"

namespace gridcast::cli {

void add_study(Verb& program);

}  // namespace gridcast::cli
