#pragma once

#include "sim/cli/command_line.hpp"

namespace gridcast::cli {

/// gridcast docs
void add_docs(Verb& program);

}  // namespace gridcast::cli
