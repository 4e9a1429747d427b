// gridcast completion SHELL: what a shell needs to complete gridcast's verbs, options and values.
#pragma once

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"

namespace gridcast::cli {

/// Of all verbs that `app` has when it runs.
void add_completion(CLI::App& app, Select select);

}  // namespace gridcast::cli
