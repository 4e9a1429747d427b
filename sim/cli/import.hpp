// gridcast import: other programs' files as gridcast's. Each kind is a verb below it.
#pragma once

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"

namespace gridcast::cli {

void add_import(CLI::App& app, Select const& select);

}  // namespace gridcast::cli
