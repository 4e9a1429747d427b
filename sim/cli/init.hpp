// gridcast init [FILE]: a first scenario from five answers, given as options or asked for.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"

namespace gridcast::cli {

void add_init(CLI::App& app, Select select);

}  // namespace gridcast::cli
