// gridcast help [VERB... | TOPIC]: a verb's help, a topic's page, or the manual page (--man).
#pragma once

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"

namespace gridcast::cli {

/// Of all verbs that `app` has when it runs.
void add_help(CLI::App& app, Select select);

}  // namespace gridcast::cli
