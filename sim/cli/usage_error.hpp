// What a person did wrong on the command line, in one message.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace gridcast::cli {

/// "gridcast predict: unknown option '--sead'. Did you mean '--seed'?"
std::string usage_message(CLI::App& app, CLI::ParseError const& error);

/// For a command line without a verb.
std::string no_verb_message(CLI::App& app);

}  // namespace gridcast::cli
