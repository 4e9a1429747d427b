// gridcast doctor: what it runs with, on what, and whether it is sound.
#pragma once

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"

namespace gridcast::cli {

void add_doctor(CLI::App& app, Select select);

}  // namespace gridcast::cli
