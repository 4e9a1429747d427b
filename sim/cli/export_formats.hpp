// gridcast export chrome-trace, paje, wfformat, swf: the formats that are one file.
#pragma once

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"

namespace gridcast::cli {

void add_export_formats(CLI::App& group, Select const& select);

}  // namespace gridcast::cli
