// gridcast import swf and import wfformat: traces of other programs as campaigns, three files in a
// folder.
#pragma once

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"

namespace gridcast::cli {

void add_import_traces(CLI::App& import_group, Select const& select);

}  // namespace gridcast::cli
