// gridcast export csv: a campaign as tables, into a folder or one of them as a file.
#pragma once

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"

namespace gridcast::cli {

void add_export_csv(CLI::App& group, Select select);

}  // namespace gridcast::cli
