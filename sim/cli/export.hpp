// gridcast export: campaigns in the formats of other programs. Each format is a verb below it.
#pragma once

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"

namespace gridcast::cli {

void add_export(CLI::App& app, Select const& select);

}  // namespace gridcast::cli
