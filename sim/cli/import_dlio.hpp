// gridcast import dlio: a workload file of DLIO or MLPerf Storage as a profile.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"

namespace gridcast::cli {

struct ImportDlioOptions {
  std::string file;
  std::string gpu;
  std::string out;
};

/// The profile on stdout or in a file, what was ignored on stderr; the exit code.
int run_import_dlio(ImportDlioOptions const& options);
void add_import_dlio(CLI::App& import_group, Select select);

}  // namespace gridcast::cli
