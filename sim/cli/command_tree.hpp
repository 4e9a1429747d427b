// The program's verbs and options, read off the parser.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "sim/report/text/command.hpp"

namespace gridcast::cli {

/// Of the program, or of one verb and those below it.
report::Command command_tree(CLI::App& app);

/// The innermost verb that the command line has chosen; the program itself without one.
CLI::App& chosen_verb(CLI::App& app);
/// "gridcast import submit".
std::string path_of(CLI::App const& app);

}  // namespace gridcast::cli
