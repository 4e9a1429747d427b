// gridcast schema: what scenario and pool files may contain, for editors and for people.
#pragma once

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"

namespace gridcast::cli {

struct SchemaOptions {
  bool markdown = false;
};

/// Prints the JSON Schema or the reference of keys on stdout; the exit code.
int run_schema(SchemaOptions const& options);
void add_schema(CLI::App& app, Select select);

}  // namespace gridcast::cli
