// The verbs of `gridcast import` that have files of their own.
#pragma once

#include "sim/cli/command_line.hpp"

namespace gridcast::cli {

void add_import_columns(Verb& group);

}  // namespace gridcast::cli
